import { output } from "@pulumi/pulumi";
import type { Input } from "@pulumi/pulumi";
import { validateName, validateSpec } from "../api";
import { isDeeplyKnown, isKnown } from "./lift";
import { memcachedSchema, specOf } from "./memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import { validateMemcachedOptions } from "./memcachedOptions";
import type { MemcachedOptions } from "./memcachedOptions";
import { validatePlain } from "./validation/plain";
import { problemsOf } from "./validation/schema";
import { validateUsers, withNamedUsers } from "./users";
import { refuse, show } from "./validation/values";

/** Checks the options and the known arguments. @throws RunError with all errors */
export function validateMemcached(name: string, args: MemcachedArgs, opts?: MemcachedOptions): void {
  const spec = specOf(withNamedUsers(name, args ?? {}));
  refuse("Memcached", name, [
    ...(args?.name === undefined ? validateAutoname(name) : validateOwnName(args.name)),
    ...problemsOf("args", memcachedSchema, args ?? null),
    ...validateUsers(args ?? {}),
    ...validateKnown(spec),
    ...validateMemcachedOptions(args ?? {}, opts),
  ]);
}

/** The spec to send. Known fields are unchanged. The whole spec is checked again once the unknown fields have values. */
export function checkedSpec(name: string, spec: Record<string, unknown>): Record<string, unknown> {
  if (isDeeplyKnown(spec)) return spec;
  const whole = output(spec).apply((values) => {
    const odd = Object.entries(values).flatMap(([field, value]) => validatePlain(field, value));
    refuse("Memcached", name, odd.length > 0 ? odd : withValues(values, validateSpec(values)));
    return values as Record<string, unknown>;
  });
  return Object.fromEntries(
    Object.entries(spec).map(([field, value]): [string, Input<unknown>] => [
      field,
      isDeeplyKnown(value) ? value : whole.apply((values) => values[field]),
    ]),
  );
}

function validateOwnName(value: unknown): string[] {
  if (!isKnown(value)) return [];
  const sentences = validateName(typeof value === "string" ? value : "");
  return sentences.map((sentence) => `${sentence} (metadata.name is ${show(value)})`);
}

/** Pulumi's autonames add a hyphen and eight characters. */
function validateAutoname(name: string): string[] {
  const wrong = validateName(`${name}-00000000`).length > 0;
  return wrong
    ? [
        `the resource's name would be "${name}-" and eight characters, which is not a DNS label of at most 52 characters ` +
          `that starts with a letter: give args.name, or a shorter Pulumi name in lower case`,
      ]
    : [];
}

/** The errors about fields that are all known and plain. Fields that are left out have their defaults. */
function validateKnown(spec: Record<string, unknown>): string[] {
  const known = Object.fromEntries(
    Object.entries(spec).filter(([field, value]) => isDeeplyKnown(value) && validatePlain(field, value).length === 0),
  );
  const sentences = validateSpec(known).filter((sentence) =>
    fieldsIn(sentence).every((field) => !(field in spec) || field in known),
  );
  return withValues(known, sentences);
}

/** Adds the values of the fields to messages without them, which are those of the API server. */
function withValues(spec: Record<string, unknown>, sentences: string[]): string[] {
  return sentences.map((sentence) => {
    const said = / is not a field|, not /.test(sentence);
    const given = said ? [] : fieldsIn(sentence).filter((field) => spec[field] !== undefined);
    return given.length === 0
      ? sentence
      : `${sentence} (${given.map((field) => `${field} is ${JSON.stringify(spec[field])}`).join(", ")})`;
  });
}

function fieldsIn(sentence: string): string[] {
  return [...new Set([...sentence.matchAll(/\bspec\.([A-Za-z]+)/g)].map((match) => match[1]!))];
}
