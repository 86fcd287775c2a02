/**
 * spec.extraArgs: memcached's other flags. The rules refuse only what nobody would notice: flags that the operator sets, words
 * that memcached reads differently from how they look, and values with which a server listens but does not answer.
 * Anything else that is wrong, memcached reports when it exits, and the status shows its message.
 */
import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { parseQuantity } from "../quantity";
import { celList, celString, type Rule } from "../rule";
import { plainSize, sizeNano } from "../sizes";

export const properties = {
  extraArgs: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      description:
        "More arguments for memcached, one word each, after those of the operator. Flags that have a field of their own, or that change how the container runs, are refused. If memcached does not start with an argument, the condition Degraded shows its message. -L works only on nodes with transparent huge pages.",
      maxItems: 32,
      "x-kubernetes-list-type": "atomic",
      examples: [["-o", "idle_timeout=300"]],
    }),
  ),
};

/** Flags of memcached 1.6 without a value: another flag may follow in the same word. Source followed: memcached.c, main(). */
export const bareLetters = "AZMkhiVrvdLCSFXW";

type Flag = [letter: string, long: string, field?: string];

/** Flags that a field sets. */
const fieldFlags: Flag[] = [
  ["p", "port", "port"],
  ["m", "memory-limit", "memory"],
  ["c", "conn-limit", "connections"],
  ["t", "threads", "threads"],
  ["I", "max-item-size", "maxItemSize"],
  ["v", "verbose", "verbosity"],
];

/** Flags with which the server would not run as the operator starts it, or would not run at all. */
const processFlags: Flag[] = [
  ["d", "daemon"],
  ["u", "user"],
  ["l", "listen"],
  ["s", "unix-socket"],
  ["U", "udp-port"],
  ["k", "lock-memory"],
  ["r", "enable-coredumps"],
  ["h", "help"],
  ["i", "license"],
  ["V", "version"],
];

/** A blank in a flag, or a control character. */
const notOneWord = "^-[^ ]* |[\\x00-\\x1f\\x7f]";

/** UDP is off by default, so these change nothing. */
const harmless = ["-U0", "--udp-port=0"];

/** Refuses the words for which `predicate` holds; `cel` is the same for the word `a`. */
const noWord = (cel: string, predicate: (word: string) => boolean, message: string): Rule => ({
  path: "spec.extraArgs",
  cel: `self.all(a, a in ${celList(harmless)} || !(${cel}))`,
  message: `spec.extraArgs ${message}`,
  predicate: (words: string[]) => !words.some((word) => !harmless.includes(word) && predicate(word)),
});

const named = ([letter, long]: Flag): string => `-${letter} (--${long})`;

/**
 * Refuses words that set one of the flags in any form that getopt_long accepts: alone or in a cluster (`-p`, `-p1`, `-Ap1`), or
 * by the long name or any beginning of it (`--port`, `--po=1`).
 */
function noFlags(flags: Flag[], message: string): Rule {
  const short = `^-[${bareLetters}]*[${flags.map(([letter]) => letter).join("")}]`;
  const long = "^--[a-z]";
  const names = flags.map(([, name]) => `--${name}`);
  const isShort = (word: string) => new RegExp(short).test(word);
  const isLong = (word: string) =>
    new RegExp(long).test(word) && names.some((name) => name.startsWith(word.split("=", 1)[0]!));
  return noWord(
    `a.matches('${short}') || (a.matches('${long}') && ${celList(names)}.exists(n, n.startsWith(a.split('=', 2)[0])))`,
    (word) => isShort(word) || isLong(word),
    message,
  );
}

/** The numbers that an option of -o is given. */
const numbers = (option: string, words: readonly string[] = []): number[] =>
  [...words.join("\n").matchAll(new RegExp(`${option}=([0-9]{1,9})`, "g"))].map((match) => Number(match[1]));
const celNumbers = (option: string): string =>
  `self.extraArgs.join('\\n').findAll('${option}=[0-9]{1,9}').map(m, int(m.find('[0-9]+$')))`;

/** CEL: the object exists and has the same values in these fields. Existing objects stay writable. */
function unchanged(fields: readonly string[]): string {
  const old = "oldSelf.value()";
  const same = ["extraArgs", ...fields].map((field) =>
    ["extraArgs", "resources"].includes(field)
      ? `has(self.${field}) == has(${old}.${field}) && (!has(self.${field}) || self.${field} == ${old}.${field})`
      : `self.${field} == ${old}.${field}`,
  );
  return ["oldSelf.hasValue()", ...same].join(" && ");
}

/** A rule for extraArgs together with the fields in `reads`. */
const combination = (
  reads: string[],
  { cel, message, predicate }: { cel: string; message: string; predicate(spec: DefaultedSpec): boolean },
): Rule => ({
  path: "spec",
  fieldPath: ".extraArgs",
  optionalOldSelf: true,
  cel: `!has(self.extraArgs) || (${unchanged(reads)}) || ${cel}`,
  message: `spec.extraArgs ${message}`,
  predicate,
});

/** Each thread needs two buffers of 16 KiB, one for the request and one for the response. */
const threadsPerMebibyte = 32;
/** memcached stores the number of bytes in 32 bits. */
const mostBuffers = 2047;

/** Memory at which a table of 2 ** power pointers of 8 bytes is a sixth of it, as the derived limit allows. */
const memoryFor = (power: number): number => 6 * 8 * 2 ** power;
/** The table of the smallest memory, and the largest that memcached accepts. */
const [firstPower, lastPower] = [17, 32];
const celMemories = Array.from({ length: lastPower - firstPower }, (_, i) => `${memoryFor(firstPower + 1 + i)}.0`);

export const rules: Rule[] = [
  noWord(
    `a.matches(${celString(notOneWord)})`,
    (word) => new RegExp(notOneWord).test(word),
    'must have one word per item, without control characters: write ["-o", "modern"] instead of ["-o modern"], and remove tabs and line breaks',
  ),
  noFlags(
    fieldFlags,
    `must not set flags that have a field: use ${fieldFlags.map((flag) => `${flag[2]} instead of ${named(flag)}`).join(", ")}`,
  ),
  noFlags(
    processFlags,
    `must not set ${processFlags.map(named).join(", ")}, which change how the container runs or make memcached exit: remove them`,
  ),
  combination(["threads"], {
    cel: `${celNumbers("read_buf_mem_limit")}.all(n, n == 0 || (${threadsPerMebibyte} * n >= self.threads && n <= ${mostBuffers}))`,
    message: `-o read_buf_mem_limit must be 0, or at least 1 for each ${threadsPerMebibyte} of spec.threads and at most ${mostBuffers}, or memcached does not answer: correct it or lower spec.threads`,
    predicate: ({ extraArgs, threads }) =>
      numbers("read_buf_mem_limit", extraArgs).every(
        (limit) => limit === 0 || (threadsPerMebibyte * limit >= threads && limit <= mostBuffers),
      ),
  }),
  combination(["memory", "resources"], {
    cel: [
      `!self.memory.matches('${plainSize}')`,
      "(has(self.resources) && has(self.resources.limits) && 'memory' in self.resources.limits)",
      `[quantity(self.memory).asApproximateFloat()].all(m, ${celNumbers("hashpower")}.all(n, n <= ${firstPower} || (n <= ${lastPower} && m >= [${celMemories.join(", ")}][n - ${firstPower + 1}])))`,
    ].join(" || "),
    message:
      "-o hashpower must make a hash table (8 bytes for each of 2^hashpower entries) of at most a sixth of spec.memory, because the derived memory limit has no room for more: lower hashpower, raise spec.memory or set spec.resources.limits.memory",
    predicate: ({ extraArgs, memory, resources }) =>
      sizeNano(memory) === undefined ||
      resources?.limits?.memory !== undefined ||
      numbers("hashpower", extraArgs).every(
        (power) => power <= firstPower || (power <= lastPower && parseQuantity(memory) >= memoryFor(power)),
      ),
  }),
];
