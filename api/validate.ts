import type { CrdSchema } from "./crdSchema";
import { withDefaults } from "./defaults";
import { type MemcachedSpec, Spec, rules } from "./fields";
import { nameRule } from "./resourceName";
import { valuesAt } from "./rule";
import { schemaErrors } from "./schemaErrors";

/** With the examples, for the sentences. */
const schema = Spec as unknown as CrdSchema;

/** The names of the spec's fields. */
export const specFields: readonly string[] = Object.keys(Spec.properties);

/**
 * What is wrong with a spec for v1, as sentences that name the field and say what to change; empty when the API server
 * would take it. Types and bounds come first; the rules, in the API server's own sentences, once those hold.
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

/** What is wrong with metadata.name, in the API server's own sentence; empty when nothing is. */
export function validateName(name: string): string[] {
  return nameRule.predicate(name) ? [] : [nameRule.message];
}
