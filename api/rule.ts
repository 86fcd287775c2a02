/**
 * A check beyond types and bounds, on a spec that matches the schema and has its defaults. The API server evaluates `cel`,
 * programs call `predicate`. Both get each value at the path; if there is none, they are not called.
 */
export interface Rule {
  /** The field with the rule: `self` in cel. `[]` stands for each item of a list. */
  path: string;
  /** The field that an error names, below path, as JSONPath; default: path itself. */
  fieldPath?: string;
  /** Whether cel uses oldSelf, which is empty for a new object. */
  optionalOldSelf?: boolean;
  /** True for allowed values. Must not fail on a value that matches the schema. */
  cel: string;
  /** Names the field, what is required, and what to change. */
  message: string;
  /** The same as cel. */
  predicate(self: unknown): boolean;
}

/** A regular expression as a CEL string literal. */
export const celString = (regexp: string): string =>
  `'${regexp.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "\\'")}'`;

/** A list of texts as a CEL literal. */
export const celList = (texts: readonly string[]): string => `[${texts.map(celString).join(", ")}]`;

/** The value at the path must match the regular expression. */
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
