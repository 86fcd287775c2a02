import { bareLetters } from "./memcachedFlags";
import type { Rule } from "./rule";

/** A memcached flag that spec.extraArgs may not carry. */
export interface OwnedFlag {
  letter: string;
  long: string;
  /** What to do in place of it. */
  remedy: string;
}

const foreground = "the operator runs the server in the foreground, as the container's process";

export const ownedFlags: OwnedFlag[] = [
  { letter: "p", long: "port", remedy: "set spec.port instead" },
  { letter: "m", long: "memory-limit", remedy: "set spec.memory instead" },
  { letter: "c", long: "conn-limit", remedy: "set spec.connections instead" },
  { letter: "t", long: "threads", remedy: "set spec.threads instead" },
  { letter: "I", long: "max-item-size", remedy: "set spec.maxItemSize instead" },
  { letter: "v", long: "verbose", remedy: "set spec.verbosity instead" },
  { letter: "d", long: "daemon", remedy: `remove it: ${foreground}` },
  { letter: "u", long: "user", remedy: "remove it: the server's user is the container's, which is never root" },
  { letter: "l", long: "listen", remedy: "remove it: clients and probes reach the server at the pod's address" },
  { letter: "s", long: "unix-socket", remedy: "remove it: it turns the network off, and no client could connect" },
  {
    letter: "k",
    long: "lock-memory",
    remedy: "remove it: what the container may lock is the node's to say, and its limit counts all of it",
  },
  {
    letter: "r",
    long: "enable-coredumps",
    remedy: "remove it: the server does not start where the node allows no core files",
  },
  { letter: "h", long: "help", remedy: "remove it: the server would print its help and stop" },
  { letter: "i", long: "license", remedy: "remove it: the server would print its license and stop" },
  { letter: "V", long: "version", remedy: "remove it: the server would print its version and stop" },
];

/**
 * Whether one word sets the flag, in any way getopt_long reads it: alone or in a cluster (`-p`, `-p1`, `-Ap1`), by its
 * long name or any beginning of that (`--port`, `--po=1`). A beginning that fits several names is taken as set: the
 * server refuses to start with it anyway.
 */
function sets(flag: OwnedFlag, word: string): boolean {
  if (new RegExp(`^-[${bareLetters}]*${flag.letter}`).test(word)) return true;
  return /^--[a-z]/.test(word) && `--${flag.long}`.startsWith(word.split("=", 1)[0]!);
}

const unset = ({ letter, long }: OwnedFlag): string =>
  `!a.matches('^-[${bareLetters}]*${letter}') && !(a.matches('^--[a-z]') && '--${long}'.startsWith(a.split('=', 2)[0]))`;

export const ownedFlagRules: Rule[] = ownedFlags.map((flag) => ({
  path: "spec.extraArgs",
  cel: `self.all(a, ${unset(flag)})`,
  message: `spec.extraArgs must not set -${flag.letter} (--${flag.long}): ${flag.remedy}`,
  predicate: ({ extraArgs }) => !extraArgs?.some((word) => sets(flag, word)),
}));
