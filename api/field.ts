import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import type { Rule } from "./rule";

/** What a module in fields/ exports: one field of spec, or a few related ones. */
export interface Field {
  /** The schemas, in the order of the documentation. */
  properties: TProperties;
  rules?: readonly Rule[];
}

/** An optional field with a default, which is part of its type. */
export const defaulted = <T extends TSchema>(schema: T, value: Static<T>) =>
  Type.Optional({ ...schema, default: value });

/** An enum. */
export const oneOf = <const Word extends string>(
  words: readonly Word[],
  options: { description: string; examples: Word[] },
): TUnsafe<Word> =>
  Type.Unsafe<Word>({
    ...{ type: "string", enum: words, maxLength: Math.max(...words.map(({ length }) => length)) },
    ...options,
  });
