/** Command lines of the scripts: strict, and one line with exit code 2 for what is wrong. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UserError } from "../../cluster/errors";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** A wrong command line: the usage line as an error with exit code 2. */
export const usageError = (usage: string, problem = ""): UserError =>
  new UserError(problem ? `${problem} (${usage})` : usage, 2);

/** Parses the process's arguments; an unknown flag or a flag without its value is a usage error. */
export function parseCommandLine<T extends Options>(usage: string, options: T) {
  try {
    return parseArgs({ options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(usage, (error as Error).message.split(". ")[0]);
  }
}
