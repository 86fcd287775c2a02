type Labels = Record<string, string> | undefined;

/** Compiles a label selector of "key=value", several separated by commas. Throws for any other kind of requirement. */
export function labelSelector(text: string): (labels: Labels) => boolean {
  const parts = text.split(",").filter((part) => part !== "");
  const wanted = parts.map((part) => {
    const [, key, value] = /^([^\s!=()]+)=([^\s=()]*)$/.exec(part) ?? [];
    if (key === undefined) throw new Error(`label selector: cannot read "${part}"; write key=value`);
    return { key, value };
  });
  return (labels) => wanted.every(({ key, value }) => labels?.[key] === value);
}
