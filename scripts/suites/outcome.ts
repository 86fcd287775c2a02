/** What came of one suite, or of several together. */
export interface Outcome {
  passed: number;
  failed: number;
  /** What failed and why, for the end of the run: a log's tail is what one sees first, and at times alone. */
  reasons: string[];
}

/** The outcome of both together. */
export function together(one: Outcome, other: Outcome): Outcome {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    reasons: [...one.reasons, ...other.reasons],
  };
}
