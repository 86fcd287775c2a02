import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { Rule } from "./rule";

/** What a module in fields/ exports: a field of spec, or a few that belong together. */
export interface Field {
  /** Their schemas, in the order people read them. */
  properties: TProperties;
  rules?: readonly Rule[];
}

/** An optional field that the API server fills in when it is left out; its type tells that as well. */
export const defaulted = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional({ ...schema, default: value });

/** One of a few words. */
export const oneOf = <const Word extends string>(
  words: readonly Word[],
  options: { description: string; examples: Word[] },
): TUnsafe<Word> =>
  Type.Unsafe<Word>({
    ...{ type: "string", enum: words, maxLength: Math.max(...words.map(({ length }) => length)) },
    ...options,
  });
