/** Command lines of the scripts: strict, and one line with exit code 2 for what is wrong. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UserError } from "../errors";
import { DEFAULT_CLUSTER } from "../settings";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** `--name CLUSTER`, for the scripts that act on one embedded cluster. */
export const nameOption = { name: { type: "string", default: DEFAULT_CLUSTER } } as const;

/** A wrong command line: the usage line as an error with exit code 2. */
export const usageError = (usage: string, problem = ""): UserError =>
  new UserError(problem ? `${problem} (${usage})` : usage, 2);

/**
 * Parses the process's arguments; an unknown flag or a flag without its value is a usage error. `--help` prints the usage
 * and `about`, and ends the process.
 */
export function parseCommandLine<T extends Options>(usage: string, options: T, about = "") {
  if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h")) {
    console.log(about ? `${usage}\n\n${about}` : usage);
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals: true, strict: true });
  } catch (error) {
    throw usageError(usage, (error as Error).message.split(". ")[0]);
  }
}

/** The flags of a script that takes nothing else. */
export function parseFlags<T extends Options>(usage: string, options: T, about = "") {
  const { positionals, values } = parseCommandLine(usage, options, about);
  if (positionals.length > 0) throw usageError(usage, `unexpected argument "${positionals[0]}"`);
  return values;
}

/** The command line of a script that takes no arguments. */
export const parseNothing = (usage: string, about: string): void => void parseFlags(usage, {}, about);

/** The whole number that a flag was given. */
export function wholeNumber(usage: string, flag: string, text: string, least: number, most = 2 ** 32 - 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw usageError(usage, `${flag}=${text}: give a whole number from ${least} to ${most}`);
}

/** The name of the embedded cluster that a script acts on which takes `--name CLUSTER` alone; `about` says what it does. */
export function parseClusterName(usage: string, about: string): string {
  const nameHelp = `  --name CLUSTER   the embedded cluster, ${DEFAULT_CLUSTER} by default; each has a stack of its own`;
  const { positionals, values } = parseCommandLine(usage, nameOption, `${about}\n\n${nameHelp}`);
  if (positionals.length > 0) throw usageError(usage);
  return values.name;
}
