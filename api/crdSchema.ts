import type { TSchema } from "@sinclair/typebox";

/** A schema in the CustomResourceDefinition. */
export interface CrdSchema {
  [keyword: string]: unknown;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  required?: string[];
  additionalProperties?: CrdSchema;
  properties?: Record<string, CrdSchema>;
  items?: CrdSchema;
}

/** Keywords that only this repository's generators and messages use. */
const ownKeywords = ["examples", "componentNote", "componentFields", "kubernetesType"];

/** The schema as the API server accepts it, without our own keywords. */
export function crdSchema(schema: TSchema): CrdSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (ownKeywords.includes(key) ? undefined : value)),
  ) as CrdSchema;
}
