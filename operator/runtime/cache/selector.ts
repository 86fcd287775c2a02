type Labels = Record<string, string> | undefined;
type Requirement = (labels: Labels) => boolean;

const setBased = /^(\S+)\s+(in|notin)\s+\(([^)]*)\)$/;
const equality = /^([^\s!=]+)\s*(==|=|!=)\s*(\S*)$/;
const existence = /^(!?)\s*([^\s!=()]+)$/;

/** Compiles a label selector in kubectl's notation. Throws a sentence that names the part it cannot read. */
export function labelSelector(text: string): (labels: Labels) => boolean {
  const requirements = split(text).map(requirement);
  return (labels) => requirements.every((holds) => holds(labels));
}

function split(text: string): string[] {
  return text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function requirement(part: string): Requirement {
  const set = setBased.exec(part);
  if (set) {
    const [, key = "", operator, list = ""] = set;
    const values = new Set(list.split(",").map((value) => value.trim()));
    return (labels) => (labels?.[key] !== undefined && values.has(labels[key])) === (operator === "in");
  }
  const equal = equality.exec(part);
  if (equal) {
    const [, key = "", operator, value = ""] = equal;
    return (labels) => (labels?.[key] === value) === (operator !== "!=");
  }
  const exists = existence.exec(part);
  if (exists) {
    const [, not, key = ""] = exists;
    return (labels) => (labels?.[key] !== undefined) === (not === "");
  }
  throw new Error(
    `label selector: cannot read "${part}"; write key=value, key!=value, key in (a,b), key notin (a,b), key or !key`,
  );
}
