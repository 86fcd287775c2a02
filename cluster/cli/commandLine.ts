/** The scripts' command lines: strict, with `--help`, and one line with exit code 2 for what is wrong. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UserError } from "../errors";
import { DEFAULT_CLUSTER } from "../settings";
import { main } from "./main";

type Options = NonNullable<ParseArgsConfig["options"]>;

/** `--name CLUSTER`, for the scripts that act on one embedded cluster. */
export const nameOption = { name: { type: "string", default: DEFAULT_CLUSTER } } as const;

/** What `--help` says of it. */
export const nameHelp = `  --name CLUSTER   the embedded cluster, ${DEFAULT_CLUSTER} by default; each has a stack of its own`;

/** A wrong command line, in words; without any, the usage says it. */
export class UsageError extends Error {}

interface Description<T extends Options> {
  /** The command with its flags and arguments, on one line. */
  usage: string;
  /** What it does, and what its flags mean: for `--help`. */
  about: string;
  options?: T;
  /** How many arguments it takes beside flags; none by default. */
  takes?: number;
}

type Parsed<T extends Options> = ReturnType<
  typeof parseArgs<{ options: T; allowPositionals: true; strict: true }>
>["values"];

/** Runs a script's body with its flags and arguments: `--help` prints usage and `about`, and ends the process. */
export function command<T extends Options>(
  { usage, about, options, takes = 0 }: Description<T>,
  body: (values: Parsed<T>, ...positionals: string[]) => Promise<void> | void,
): void {
  main(async () => {
    if (process.argv.slice(2).some((arg) => arg === "--help" || arg === "-h"))
      return console.log(`usage: ${usage}\n\n${about}`);
    try {
      const { values, positionals } = parsed(options ?? ({} as T));
      if (positionals.length > takes) throw new UsageError(`unexpected argument "${positionals[takes]}"`);
      await body(values, ...positionals);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      throw new UserError(error.message ? `${error.message} (usage: ${usage})` : `usage: ${usage}`, 2);
    }
  });
}

function parsed<T extends Options>(options: T) {
  try {
    return parseArgs({ options, allowPositionals: true, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

/** The whole number that a flag was given. */
export function wholeNumber(flag: string, text: string, least: number, most = 2 ** 32 - 1): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new UsageError(`${flag}=${text}: give a whole number from ${least} to ${most}`);
}
