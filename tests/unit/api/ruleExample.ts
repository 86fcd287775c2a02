import type { MemcachedSpec } from "../../../api";

/** Specs that break a rule, and their like that break none. */
export interface RuleExample {
  /** How the rule's sentence begins. */
  sentence: string;
  refused: MemcachedSpec[];
  allowed: MemcachedSpec[];
}

export const args = (...lists: string[][]): MemcachedSpec[] => lists.map((extraArgs) => ({ extraArgs }));

/** Lists of one -o with its options. */
export const options = (...texts: string[]): MemcachedSpec[] => args(...texts.map((text) => ["-o", text]));
