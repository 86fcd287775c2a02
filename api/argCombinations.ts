/**
 * Rules for flags and options of spec.extraArgs beside the other fields. Each holds only once what it is about has changed: an object
 * that is already there must stay writable, so that it can be scaled.
 */
import { optionValueTable } from "./argTables";
import {
  allGood,
  bareFlag,
  celAllGood,
  celLines,
  celNumbers,
  celNumbersAfter,
  celString,
  findAll,
  flag,
  knownWord,
  numbers,
  numbersAfter,
  onlyOptions,
  option,
} from "./argv";
import type { DefaultedSpec } from "./defaults";
import { bareOptions, imageFlags, imageOptions } from "./memcachedFlags";
import { plainSize, sizeNano } from "./plainSize";
import { parseQuantity } from "./quantity";
import type { Rule } from "./rule";

type Defaulted = "memory" | "threads" | "maxItemSize";

interface Combination {
  /** The fields that it reads beside extraArgs. */
  reads: (Defaulted | "image" | "resources")[];
  /** CEL, on a spec that has extraArgs. */
  cel: string;
  message: string;
  predicate(spec: DefaultedSpec): boolean;
}

/** CEL: the object was there, and has the same value in these fields. */
function unchanged(fields: readonly string[]): string {
  const old = "oldSelf.value()";
  const same = fields.map((field) =>
    ["image", "resources"].includes(field)
      ? `has(self.${field}) == has(${old}.${field}) && (!has(self.${field}) || self.${field} == ${old}.${field})`
      : `self.${field} == ${old}.${field}`,
  );
  return [`oldSelf.hasValue()`, `has(${old}.extraArgs)`, `self.extraArgs == ${old}.extraArgs`, ...same].join(" && ");
}

const rule = ({ reads, cel, message, predicate }: Combination): Rule => ({
  path: "spec",
  fieldPath: ".extraArgs",
  optionalOldSelf: true,
  cel: `!has(self.extraArgs) || (${unchanged(reads)}) || ${cel}`,
  message: `spec.extraArgs ${message}`,
  predicate,
});

const lines = celLines("self.extraArgs");
const matches = (text: string, regexp: string): string => `${text}.matches(${celString(regexp)})`;
/** The table of locks grows with the threads, and the hash table must be larger. Source followed: thread.c, memcached_thread_init(). */
const leastHashPower = (threads: number): number =>
  threads < 4 ? 12 : threads < 5 ? 13 : threads <= 10 ? 14 : threads <= 20 ? 15 : 16;
const celLeastHashPower =
  "(self.threads < 4 ? 12 : self.threads < 5 ? 13 : self.threads <= 10 ? 14 : self.threads <= 20 ? 15 : 16)";

/** The hash table has 2 ** power places of 8 bytes, and may take the sixth of memory that a container has for it. */
const hashPowers = Array.from({ length: 16 }, (_, i) => ({ power: 17 + i, bytes: 6 * 8 * 2 ** (17 + i) }));
const mostHashPower = (memory: number): number => hashPowers.findLast(({ bytes }) => bytes <= memory)?.power ?? 17;
const celMostHashPower = hashPowers
  .slice(1)
  .reduceRight((larger, { power, bytes }) => `m < ${bytes}.0 ? ${power - 1} : ${larger}`, "32");

/** Each thread needs two buffers of 16 KiB, one for a request and one for its answer. */
const threadsPerMebibyte = 32;

/** Growth factors and lists of sizes give at most 63 classes, each with a page of 1 MiB from the start. */
const largePagesMemory = "64Mi";

/** Chunks as large as a page, of which items smaller than 1 MiB, or of halves of one, cannot be made. */
const pageChunks = `${option(["slab_chunk_max=0*1024", "no_chunked_items", "no_modern"])}(?:=[^,\\n]*)?[,\\n]`;
const largePages = bareFlag("L");
const imageOnly = `(?:${bareFlag(imageFlags.bare)}|${flag(imageFlags.value)}|${option(imageOptions)})`;
const napiIds = `${flag("N")}[0-9]{1,9}`;
const knownOptions = onlyOptions([...bareOptions, ...optionValueTable.flatMap(({ names }) => names)]);

const combinations: Combination[] = [
  {
    reads: ["image"],
    cel: `has(self.image) || self.extraArgs.all(a, ${matches("a", knownWord)})`,
    message:
      "must hold flags that memcached 1.6.45 has, long names in full, unless spec.image brings one that has more: correct the flag or set spec.image",
    predicate: ({ image, extraArgs }) =>
      image !== undefined || !extraArgs?.some((word) => !new RegExp(knownWord).test(word)),
  },
  {
    reads: ["image"],
    cel: `has(self.image) || ${celAllGood(knownOptions, "self.extraArgs")}`,
    message:
      "-o must be followed by options that memcached 1.6.45 has, with commas between them, unless spec.image brings one that has more: correct the option or set spec.image",
    predicate: ({ image, extraArgs }) => image !== undefined || allGood(knownOptions, extraArgs),
  },
  {
    reads: ["image"],
    cel: `has(self.image) || !${matches(lines, imageOnly)}`,
    message:
      "-S, -Z, -Y, -e and the ssl_, ext_ and proxy_ options of -o need files that only an image of your own has: set spec.image to it or remove them",
    predicate: ({ image, extraArgs }) => image !== undefined || findAll(imageOnly, extraArgs).length === 0,
  },
  {
    reads: ["memory"],
    cel: `!self.memory.matches('${plainSize}') || quantity(self.memory).compareTo(quantity('${largePagesMemory}')) >= 0 || !${matches(lines, largePages)}`,
    message: `-L (--enable-largepages) must have a spec.memory of ${largePagesMemory} or more, or memcached does not start: raise spec.memory or remove -L`,
    predicate: ({ memory, extraArgs }) =>
      !(sizeNano(memory)! < sizeNano(largePagesMemory)!) || findAll(largePages, extraArgs).length === 0,
  },
  {
    reads: ["threads"],
    cel: `${celNumbers("hashpower", "self.extraArgs")}.all(n, n >= ${celLeastHashPower})`,
    message:
      "-o hashpower must be at least 12 with up to 3 of spec.threads, 13 with 4, 14 with up to 10, 15 with up to 20 and 16 with more, or memcached does not start: raise hashpower or lower spec.threads",
    predicate: ({ extraArgs, threads }) =>
      numbers("hashpower", extraArgs).every((power) => power >= leastHashPower(threads)),
  },
  {
    reads: ["threads"],
    cel: `${celNumbers("read_buf_mem_limit", "self.extraArgs")}.all(n, n == 0 || ${threadsPerMebibyte} * n >= self.threads)`,
    message: `-o read_buf_mem_limit must be 0 or at least 1 for each ${threadsPerMebibyte} of spec.threads, or memcached answers nobody: raise read_buf_mem_limit or lower spec.threads`,
    predicate: ({ extraArgs, threads }) =>
      numbers("read_buf_mem_limit", extraArgs).every((limit) => limit === 0 || threadsPerMebibyte * limit >= threads),
  },
  {
    reads: ["memory", "resources"],
    cel: [
      `!self.memory.matches('${plainSize}')`,
      "(has(self.resources) && has(self.resources.limits) && 'memory' in self.resources.limits)",
      `[quantity(self.memory).asApproximateFloat()].map(m, ${celMostHashPower}).all(most, ${celNumbers("hashpower", "self.extraArgs")}.all(n, n <= most))`,
    ].join(" || "),
    message:
      "-o hashpower must make a hash table of at most a sixth of spec.memory, as its places take 8 bytes each and the derived limit has no more for them: lower hashpower, raise spec.memory or set spec.resources.limits.memory",
    predicate: ({ extraArgs, memory, resources }) => {
      if (sizeNano(memory) === undefined || resources?.limits?.memory !== undefined) return true;
      return numbers("hashpower", extraArgs).every((power) => power <= mostHashPower(parseQuantity(memory)));
    },
  },
  {
    reads: ["maxItemSize"],
    cel: [
      `!self.maxItemSize.matches('${plainSize}')`,
      "double(int(quantity(self.maxItemSize).asApproximateFloat() / 1048576.0)) == quantity(self.maxItemSize).asApproximateFloat() / 1048576.0",
      `!${matches(lines, pageChunks)}`,
    ].join(" || "),
    message:
      "-o slab_chunk_max=1024, no_chunked_items and no_modern must have a spec.maxItemSize of whole mebibytes, or memcached does not start: set spec.maxItemSize to 1Mi or the like, or remove the option",
    predicate: ({ maxItemSize, extraArgs }) =>
      sizeNano(maxItemSize) === undefined ||
      Number.isInteger(parseQuantity(maxItemSize) / 1048576) ||
      findAll(pageChunks, extraArgs).length === 0,
  },
  {
    reads: ["threads"],
    cel: `${celNumbersAfter(napiIds, "self.extraArgs")}.all(n, n <= self.threads)`,
    message:
      "-N (--napi-ids) must be at most spec.threads, or memcached does not start: lower it or raise spec.threads",
    predicate: ({ extraArgs, threads }) => numbersAfter(napiIds, extraArgs).every((count) => count <= threads),
  },
];

export const argCombinations: Rule[] = combinations.map(rule);
