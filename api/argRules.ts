/** Rules of spec.extraArgs by itself: the values of memcached's flags and options, and what does not go together. */
import {
  allGood,
  bareFlag,
  celAllGood,
  celLines,
  celNumbers,
  celString,
  findAll,
  flag,
  flagValues,
  numbers,
  type Occurrences,
  option,
  optionValues,
} from "./argv";
import { flagValueTable, optionValueTable, words } from "./argTables";
import type { Rule } from "./rule";

const onExtraArgs = (occurrences: Occurrences, message: string): Rule => ({
  path: "spec.extraArgs",
  cel: celAllGood(occurrences, "self"),
  message: `spec.extraArgs ${message}`,
  predicate: ({ extraArgs }) => allGood(occurrences, extraArgs),
});

interface Refusal {
  /** How many of these there may be at most. */
  found: string;
  most: number;
  message: string;
}

const refusals: Refusal[] = [
  {
    found: `${option(["drop_privileges"])}[,=\\n]`,
    most: 0,
    message:
      "-o drop_privileges must not be set, for it ends servers whose C library it does not know: remove it, as the container has none to drop",
  },
  {
    found: `(?:${flag("BY")}|${bareFlag("S")}|${option(["proxy_config"])}=)`,
    most: 1,
    message:
      "must hold one of -B, -S, -Y and -o proxy_config at most, for each settles the protocol: keep the one that is wanted",
  },
  {
    found: `${option(["slab_sizes"])}=`,
    most: 1,
    message: "-o slab_sizes must be given once: join the lists",
  },
];

const refused = ({ found, most, message }: Refusal): Rule => ({
  path: "spec.extraArgs",
  cel: most
    ? `size(${celLines("self")}.findAll(${celString(found)})) <= ${most}`
    : `!${celLines("self")}.matches(${celString(found)})`,
  message: `spec.extraArgs ${message}`,
  predicate: ({ extraArgs }) => findAll(found, extraArgs).length <= most,
});

/** Pairs of which at most one may be there. */
const pairs: [string, string, string][] = [
  [
    option(["temporary_ttl"]),
    option(words("no_lru_maintainer no_modern")),
    "must not hold -o temporary_ttl together with no_lru_maintainer or no_modern, which turn off what it needs: remove one",
  ],
  [
    option(["slab_sizes"]),
    flag("n"),
    "must not hold -o slab_sizes together with -n (--slab-min-size), for the list says what is least: remove -n",
  ],
];

const apart = ([some, others, message]: (typeof pairs)[number]): Rule => ({
  path: "spec.extraArgs",
  cel: [some, others].map((found) => `!${celLines("self")}.matches(${celString(found)})`).join(" || "),
  message: `spec.extraArgs ${message}`,
  predicate: ({ extraArgs }) => [some, others].some((found) => findAll(found, extraArgs).length === 0),
});

/** Where a default counts in place of what is not given. */
const lruShares = { hot: ["hot_lru_pct", 20], warm: ["warm_lru_pct", 40] } as const;
const celShare = ([name, otherwise]: readonly [string, number]): string =>
  `(${celLines("self")}.matches(${celString(`${option([name])}=[0-9]{1,9}`)}) ? ${celNumbers(name, "self")}.max() : ${otherwise})`;
const share = ([name, otherwise]: readonly [string, number], given: string[] | undefined): number => {
  const found = numbers(name, given);
  return found.length > 0 ? Math.max(...found) : otherwise;
};

/** Sizes of chunks: each more than 8 bytes above the one before, from 48 bytes to the largest chunk. */
const sizes = `${option(["slab_sizes"])}=[0-9]{2,7}(?:-[0-9]{2,7}){0,61}`;
const celSizes = `${celLines("self")}.find(${celString(sizes)}).find('[0-9-]+$').split('-').map(x, int(x))`;
const celLargestChunk = `1024 * (${celLines("self")}.matches(${celString(`${option(["slab_chunk_max"])}=[0-9]{1,9}`)}) ? ${celNumbers("slab_chunk_max", "self")}.min() : 512)`;
const areSizes = (given: number[], largestChunk: number): boolean =>
  given.every((size, i) => i === 0 || size > given[i - 1]! + 8) && given[0]! >= 48 && given.at(-1)! <= largestChunk;

export const argRules: Rule[] = [
  ...flagValueTable.map(({ letter, called, value, wanted, like }) =>
    onExtraArgs(flagValues(letter, value), `${called} must be followed by ${wanted}: write ${like}`),
  ),
  ...optionValueTable.map(({ names, value, wanted, like }) =>
    onExtraArgs(optionValues(names, value), `-o ${names.join(", ")} must be ${wanted}: write ${like}`),
  ),
  ...refusals.map(refused),
  ...pairs.map(apart),
  {
    path: "spec.extraArgs",
    cel: `${celShare(lruShares.hot)} + ${celShare(lruShares.warm)} <= 80`,
    message:
      "spec.extraArgs -o hot_lru_pct (20 when left out) and warm_lru_pct (40) must be at most 80 together, or memcached does not start: lower one",
    predicate: ({ extraArgs }) => share(lruShares.hot, extraArgs) + share(lruShares.warm, extraArgs) <= 80,
  },
  {
    path: "spec.extraArgs",
    cel: `!${celLines("self")}.matches(${celString(sizes)}) || [${celSizes}].all(l, l[0] >= 48 && l[size(l) - 1] <= ${celLargestChunk} && [${Array.from({ length: 61 }, (_, i) => i).join(", ")}].all(i, i + 1 >= size(l) || l[i + 1] > l[i] + 8))`,
    message:
      "spec.extraArgs -o slab_sizes must rise by more than 8 bytes each, from 48 to the largest chunk (slab_chunk_max, 512 KiB when left out), or memcached does not start: correct the list",
    predicate: ({ extraArgs }) => {
      const [list] = findAll(sizes, extraArgs);
      const chunks = numbers("slab_chunk_max", extraArgs);
      const largestChunk = 1024 * (chunks.length > 0 ? Math.min(...chunks) : 512);
      return list === undefined || areSizes(/[0-9-]+$/.exec(list)![0].split("-").map(Number), largestChunk);
    },
  },
];
