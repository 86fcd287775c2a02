/** Runs a script's body: what people can mend is one line, anything else its stack. */
import { UserError } from "../errors";

export function main(body: () => Promise<void> | void): void {
  Promise.resolve()
    .then(body)
    .catch((error: unknown) => {
      if (error instanceof UserError) {
        console.error(error.message);
        process.exit(error.exitCode);
      }
      console.error(error instanceof Error ? (error.stack ?? error.message) : error);
      process.exit(1);
    });
}
