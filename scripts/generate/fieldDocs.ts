import { Spec } from "../../api/fields";
import { Status } from "../../api/status";

/** What the generators read of a field's schema. */
export interface FieldSchema {
  type?: string;
  description?: string;
  default?: unknown;
  examples?: unknown[];
  enum?: string[];
  required?: string[];
  componentNote?: string;
  /** Fields that the component alone has, any of which takes the place of the required ones. */
  componentFields?: Record<string, FieldSchema>;
  /** Kubernetes' own name for the type of the value, or of a list's items. */
  kubernetesType?: string;
  "x-kubernetes-int-or-string"?: boolean;
  properties?: Record<string, FieldSchema>;
  items?: FieldSchema;
  additionalProperties?: FieldSchema;
}

/** A field with its name. */
export type Field = [name: string, schema: FieldSchema];

export const specSchema = Spec as FieldSchema;
export const statusSchema = Status as FieldSchema;

export const fieldsOf = (schema: FieldSchema): Field[] => Object.entries(schema.properties ?? {});
