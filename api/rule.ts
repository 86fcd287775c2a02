/**
 * A check beyond types and bounds, for the API server (cel) and for programs (predicate) alike, on a spec that has passed the schema
 * and has its defaults. Both are asked about each value at the path, and about none where there is none.
 */
export interface Rule {
  /** The field that carries the rule: `self` in cel. `[]` stands for each item of a list. */
  path: string;
  /** The field an error names, below path, in JSONPath; path itself when left out. */
  fieldPath?: string;
  /** Whether cel reads oldSelf, which is empty for a new object. */
  optionalOldSelf?: boolean;
  /** True for what is allowed. Never fails on a value that the schema lets through. */
  cel: string;
  /** What is wanted, which field it is about and what to change. */
  message: string;
  /** The same as cel. */
  predicate(self: unknown): boolean;
}

/** A regular expression as a CEL string. */
export const celString = (regexp: string): string =>
  `'${regexp.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "\\'")}'`;

/** A text of some form: the value at the path, or each of them. */
export const formRule = (path: string, regexp: string, message: string): Rule => ({
  path,
  cel: `self.matches(${celString(regexp)})`,
  message: `${path} ${message}`,
  predicate: (text: string) => new RegExp(regexp).test(text),
});

/** The values at a rule's path. */
export function valuesAt(spec: object, path: string): unknown[] {
  const [, ...steps] = path.split(".");
  return steps.reduce<unknown[]>(
    (values, step) => {
      const inner = values.map((value) => (value as Record<string, unknown>)[step.replace("[]", "")]);
      return (step.endsWith("[]") ? inner.flat() : inner).filter((value) => value !== undefined && value !== null);
    },
    [spec],
  );
}
