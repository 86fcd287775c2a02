/**
 * What memcached's getopt_long makes of spec.extraArgs, as regular expressions that the API server (RE2) and programs read
 * alike: over all words, each on a line of its own.
 *
 * It is a little stricter than getopt: a word that begins with '-' is always taken for a flag, also where it would be the
 * value of the one before, and long names are known in full only.
 */
import { bareFlags, bareLetters, type MemcachedFlag, valueFlags } from "./memcachedFlags";

/** A regular expression as a CEL string. */
export const celString = (regexp: string): string =>
  `'${regexp.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("'", "\\'")}'`;

/**
 * The words of the list `list` (CEL): a line break before each and two after, and commas twice, so that an expression may take what ends
 * a value and leave what begins the next.
 */
export const celLines = (list: string): string => `('\\n' + ${list}.join('\\n\\n\\n') + '\\n\\n').replace(',', ',,')`;

const lines = (words: readonly string[] = []): string => `\n${words.join("\n\n\n")}\n\n`.replaceAll(",", ",,");

const next = "\\n\\n\\n";
const longNames = (of: readonly MemcachedFlag[]): string => of.flatMap(({ long }) => long || []).join("|");

/** A flag up to its value, which follows in the same word or is the next one; several flags when several letters are given. */
export function flag(letters: string): string {
  const names = longNames(valueFlags.filter(({ letter }) => letters.includes(letter)));
  return `\\n(?:-[${bareLetters}]*[${letters}](?:${next})?${names && `|--(?:${names})(?:=|${next}?)`})`;
}

/** Flags without a value, wherever they stand. */
export function bareFlag(letters: string): string {
  const names = longNames(bareFlags.filter(({ letter }) => letters.includes(letter)));
  return `\\n(?:-[${bareLetters}]*[${letters}]|--(?:${names})\\n)`;
}

/** An option of -o up to its value. */
export const option = (names: readonly string[]): string => `(?:${flag("o")}|,)(?:${names.join("|")})`;

/** What is found where, and how what is found goes on when it is good. */
export interface Occurrences {
  found: string;
  good: string;
}

export const flagValues = (letters: string, value: string): Occurrences => ({
  found: flag(letters),
  good: `(?:${value})\\n`,
});

/** A longer name that begins like one of these is not theirs. */
export const optionValues = (names: readonly string[], value: string): Occurrences => ({
  found: option(names),
  good: `(?:${value}|[a-z0-9_][^,\\n]*)[,\\n]`,
});

/** The value of -o, when all of its options have these names. */
export const onlyOptions = (names: readonly string[]): Occurrences => ({
  found: flag("o"),
  good: `(?:(?:${names.join("|")})(?:=[^,\\n]*)?(?:,,|\\n))+\\n`,
});

/** CEL: every occurrence in `list` is good. They are counted, for a look at each is too dear for the API server. */
export const celAllGood = ({ found, good }: Occurrences, list: string): string => {
  const count = (regexp: string) => `size(${celLines(list)}.findAll(${celString(regexp)}))`;
  return `${count(found)} == ${count(found + good)}`;
};

/** Every text in the words that the expression finds. */
export const findAll = (found: string, words: readonly string[] | undefined): string[] =>
  [...lines(words).matchAll(new RegExp(found, "g"))].map(([text]) => text);

export const allGood = ({ found, good }: Occurrences, words: readonly string[] | undefined): boolean =>
  findAll(found, words).length === findAll(found + good, words).length;

/** A word that is no flag, or one that memcached has. */
export const knownWord =
  `^(?:[^-][^\\n]*|--?|-[${bareLetters}]+|-[${bareLetters}]*[${valueFlags.map(({ letter }) => letter).join("")}][^\\n]*` +
  `|--(?:${longNames(bareFlags)})|--(?:${longNames(valueFlags)})(?:=[^\\n]*)?)$`;

const lastNumber = "[0-9]+$";
const given = (name: string): string => `${option([name])}=[0-9]{1,9}`;

/** The numbers that an option is given, where they are numbers. */
export const numbers = (name: string, words: readonly string[] | undefined): number[] =>
  numbersAfter(given(name), words);
export const celNumbers = (name: string, list: string): string => celNumbersAfter(given(name), list);

/** The numbers at the end of whatever the expression finds. */
export const numbersAfter = (found: string, words: readonly string[] | undefined): number[] =>
  findAll(found, words).map((text) => Number(new RegExp(lastNumber).exec(text)![0]));
export const celNumbersAfter = (found: string, list: string): string =>
  `${celLines(list)}.findAll(${celString(found)}).map(m, int(m.find('${lastNumber}')))`;
