/**
 * A check beyond types and bounds, for the API server (cel) and for programs (predicate) alike. `Spec` is what it reads of a spec that
 * has passed the schema and has its defaults.
 */
export interface Rule<Spec> {
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
  predicate(spec: Spec): boolean;
}

/** A regular expression as a CEL string. */
export const celString = (regexp: string): string =>
  `'${regexp.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "\\'")}'`;
