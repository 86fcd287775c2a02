/** A failure that the person at the terminal can mend: its message is one line that says what is wrong and what to do. */
export class UserError extends Error {
  override name = "UserError";
  constructor(
    message: string,
    /** The process's exit code: 2 for a wrong command line, else 1. */
    readonly exitCode: number = 1,
  ) {
    super(message);
  }
}
