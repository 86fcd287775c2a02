/**
 * spec.extraArgs: the escape hatch to memcached's other flags. Refused is only what nobody would notice: flags that the operator
 * owns, words that are read otherwise than they look, and values with which a server listens and yet fails. What memcached itself
 * refuses it says as it ends, and the status passes its words on.
 */
import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { parseQuantity } from "../quantity";
import { celString, type Rule } from "../rule";
import { plainSize, sizeNano } from "../sizes";

export const properties = {
  extraArgs: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      description:
        "Further arguments of memcached, one word each, given after the operator's own. Refused are flags that have a field or would take the server out of the operator's hands. What memcached does not start with, it says itself, in the condition Degraded. -L starts only on nodes with transparent huge pages.",
      maxItems: 32,
      "x-kubernetes-list-type": "atomic",
      examples: [["-o", "idle_timeout=300"]],
    }),
  ),
};

/** Flags of memcached 1.6 without a value, behind which another may follow in the same word. Source followed: memcached.c, main(). */
const bareLetters = "AZMkhiVrvdLCSFXW";

/** A flag of memcached that spec.extraArgs may not carry. */
interface OwnedFlag {
  letter: string;
  long: string;
  /** What to do in place of it. */
  remedy: string;
  /** Words that set it and are taken all the same. */
  harmless?: string[];
}

export const ownedFlags: OwnedFlag[] = [
  { letter: "p", long: "port", remedy: "set spec.port instead" },
  { letter: "m", long: "memory-limit", remedy: "set spec.memory instead" },
  { letter: "c", long: "conn-limit", remedy: "set spec.connections instead" },
  { letter: "t", long: "threads", remedy: "set spec.threads instead" },
  { letter: "I", long: "max-item-size", remedy: "set spec.maxItemSize instead" },
  { letter: "v", long: "verbose", remedy: "set spec.verbosity instead" },
  { letter: "d", long: "daemon", remedy: "remove it: the server runs in the foreground, as the container's process" },
  { letter: "u", long: "user", remedy: "remove it: the server's user is the container's, which is never root" },
  { letter: "l", long: "listen", remedy: "remove it: clients and probes reach the server at the pod's address" },
  { letter: "s", long: "unix-socket", remedy: "remove it: it turns the network off, and no client could connect" },
  {
    letter: "U",
    long: "udp-port",
    remedy: "remove it: clients reach the servers by TCP only, and UDP is off unless it is set",
    harmless: ["-U0", "--udp-port=0"],
  },
  { letter: "k", long: "lock-memory", remedy: "remove it: the container's limit counts all of what is locked" },
  { letter: "r", long: "enable-coredumps", remedy: "remove it: the node decides on core files" },
  { letter: "h", long: "help", remedy: "remove it: the server would print its help and stop" },
  { letter: "i", long: "license", remedy: "remove it: the server would print its license and stop" },
  { letter: "V", long: "version", remedy: "remove it: the server would print its version and stop" },
];

/**
 * Whether one word sets the flag, in any way getopt_long reads it: alone or in a cluster (`-p`, `-p1`, `-Ap1`), by its
 * long name or any beginning of that (`--port`, `--po=1`). A beginning that fits several names is taken as set: the
 * server refuses to start with it anyway.
 */
function sets({ letter, long, harmless = [] }: OwnedFlag, word: string): boolean {
  if (harmless.includes(word)) return false;
  if (new RegExp(`^-[${bareLetters}]*${letter}`).test(word)) return true;
  return /^--[a-z]/.test(word) && `--${long}`.startsWith(word.split("=", 1)[0]!);
}

/** CEL: the word `a` does not set the flag. */
function unset({ letter, long, harmless = [] }: OwnedFlag): string {
  const isHarmless = harmless.length > 0 ? `a in [${harmless.map((word) => `'${word}'`).join(", ")}] || ` : "";
  return `${isHarmless}!a.matches('^-[${bareLetters}]*${letter}') && !(a.matches('^--[a-z]') && '--${long}'.startsWith(a.split('=', 2)[0]))`;
}

const ownedFlagRules: Rule[] = ownedFlags.map((flag) => ({
  path: "spec.extraArgs",
  cel: `self.all(a, ${unset(flag)})`,
  message: `spec.extraArgs must not set -${flag.letter} (--${flag.long}): ${flag.remedy}`,
  predicate: (words: string[]) => !words.some((word) => sets(flag, word)),
}));

const flagWithBlank = "^-[^ ]* ";
const controlCharacter = "[\\x00-\\x1f\\x7f]";

/** The numbers that an option of -o is given. */
const numbers = (option: string, words: readonly string[] = []): number[] =>
  [...words.join("\n").matchAll(new RegExp(`${option}=([0-9]{1,9})`, "g"))].map((match) => Number(match[1]));
const celNumbers = (option: string): string =>
  `self.extraArgs.join('\\n').findAll('${option}=[0-9]{1,9}').map(m, int(m.find('[0-9]+$')))`;

/** CEL: the object was there, and has the same value in these fields: one that is there stays writable. */
function unchanged(fields: readonly string[]): string {
  const old = "oldSelf.value()";
  const same = ["extraArgs", ...fields].map((field) =>
    ["extraArgs", "resources"].includes(field)
      ? `has(self.${field}) == has(${old}.${field}) && (!has(self.${field}) || self.${field} == ${old}.${field})`
      : `self.${field} == ${old}.${field}`,
  );
  return ["oldSelf.hasValue()", ...same].join(" && ");
}

interface Combination {
  /** The fields that it reads beside extraArgs. */
  reads: string[];
  /** CEL, on a spec that has extraArgs. */
  cel: string;
  message: string;
  predicate(spec: DefaultedSpec): boolean;
}

const combination = ({ reads, cel, message, predicate }: Combination): Rule => ({
  path: "spec",
  fieldPath: ".extraArgs",
  optionalOldSelf: true,
  cel: `!has(self.extraArgs) || (${unchanged(reads)}) || ${cel}`,
  message: `spec.extraArgs ${message}`,
  predicate,
});

/** Each thread needs two buffers of 16 KiB, one for a request and one for its answer. */
const threadsPerMebibyte = 32;
/** What is more does not fit into the number of bytes that memcached keeps it in. */
const mostBuffers = 2047;

/** The hash table has 2 ** power places of 8 bytes, and may take the sixth of memory that a container has for it. */
const hashPowers = Array.from({ length: 16 }, (_, i) => ({ power: 17 + i, bytes: 6 * 8 * 2 ** (17 + i) }));
const mostHashPower = (memory: number): number => hashPowers.findLast(({ bytes }) => bytes <= memory)?.power ?? 17;
const celMostHashPower = hashPowers
  .slice(1)
  .reduceRight((larger, { power, bytes }) => `m < ${bytes}.0 ? ${power - 1} : ${larger}`, "32");

const combinations: Combination[] = [
  {
    reads: ["threads"],
    cel: `${celNumbers("read_buf_mem_limit")}.all(n, n == 0 || (${threadsPerMebibyte} * n >= self.threads && n <= ${mostBuffers}))`,
    message: `-o read_buf_mem_limit must be 0, or at least 1 for each ${threadsPerMebibyte} of spec.threads and at most ${mostBuffers}, or memcached answers nobody: correct it or lower spec.threads`,
    predicate: ({ extraArgs, threads }) =>
      numbers("read_buf_mem_limit", extraArgs).every(
        (limit) => limit === 0 || (threadsPerMebibyte * limit >= threads && limit <= mostBuffers),
      ),
  },
  {
    reads: ["memory", "resources"],
    cel: [
      `!self.memory.matches('${plainSize}')`,
      "(has(self.resources) && has(self.resources.limits) && 'memory' in self.resources.limits)",
      `[quantity(self.memory).asApproximateFloat()].map(m, ${celMostHashPower}).all(most, ${celNumbers("hashpower")}.all(n, n <= most))`,
    ].join(" || "),
    message:
      "-o hashpower must make a hash table of at most a sixth of spec.memory, as its places take 8 bytes each and the derived limit has no more for them: lower hashpower, raise spec.memory or set spec.resources.limits.memory",
    predicate: ({ extraArgs, memory, resources }) => {
      if (sizeNano(memory) === undefined || resources?.limits?.memory !== undefined) return true;
      return numbers("hashpower", extraArgs).every((power) => power <= mostHashPower(parseQuantity(memory)));
    },
  },
];

export const rules: Rule[] = [
  {
    path: "spec.extraArgs",
    cel: `self.all(a, !a.matches(${celString(flagWithBlank)}))`,
    message:
      'spec.extraArgs must hold one word an item, and no blanks in a flag: write ["-o", "modern"] in place of ["-o modern"]',
    predicate: (words: string[]) => !words.some((word) => new RegExp(flagWithBlank).test(word)),
  },
  {
    path: "spec.extraArgs",
    cel: `self.all(a, !a.matches(${celString(controlCharacter)}))`,
    message: "spec.extraArgs must hold no tabs, line breaks or other control characters: remove them",
    predicate: (words: string[]) => !words.some((word) => new RegExp(controlCharacter).test(word)),
  },
  ...ownedFlagRules,
  ...combinations.map(combination),
];
