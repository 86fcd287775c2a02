import type { CrdSchema } from "./crdSchema";
import { withDefaults } from "./defaults";
import { type MemcachedSpec, Spec, rules } from "./fields";
import { nameRule } from "./resourceName";
import { valuesAt } from "./rule";
import { schemaErrors } from "./schemaErrors";

/** It still has the examples, which the messages use. */
const schema = Spec as unknown as CrdSchema;

/** The names of the spec's fields. */
export const specFields: readonly string[] = Object.keys(Spec.properties);

/**
 * The errors of a spec for v1: each names the field and says what to change. Empty if the API server would accept the spec.
 * The rules, with the API server's own messages, are checked only if types and bounds are correct.
 * A spec that is undefined or null means all defaults.
 */
export function validateSpec(spec: unknown): string[] {
  const errors = [...schemaErrors("spec", schema, spec ?? {})];
  if (errors.length > 0) return errors;
  const defaulted = withDefaults(spec as MemcachedSpec);
  return rules
    .filter((rule) => !valuesAt(defaulted, rule.path).every((value) => rule.predicate(value)))
    .map((rule) => rule.message);
}

/** The errors of metadata.name, with the API server's own message. */
export function validateName(name: string): string[] {
  return nameRule.predicate(name) ? [] : [nameRule.message];
}
