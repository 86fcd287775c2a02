import { type CrdSchema, crdSchema } from "./crdSchema";
import { defaults } from "./defaults";
import { Spec, rules } from "./fields";
import { deprecatedSizeRule } from "./fields/size";
import * as names from "./names";
import { nameRule } from "./resourceName";
import type { Rule } from "./rule";
import { Status, unseenStatus } from "./status";

/** The schema at a rule's path, such as `spec.imagePullSecrets[].name`. */
function at(root: CrdSchema, path: string): CrdSchema {
  return path.split(".").reduce((schema, step) => {
    const property = step === "" ? schema : schema.properties?.[step.replace("[]", "")];
    const found = step.endsWith("[]") ? property?.items : property;
    if (!found) throw new Error(`a rule's path "${path}" leads to no field`);
    return found;
  }, root);
}

function addRule(root: CrdSchema, { path, cel, message, fieldPath, optionalOldSelf }: Omit<Rule, "predicate">): void {
  const validations = (at(root, path)["x-kubernetes-validations"] ??= []) as object[];
  validations.push({
    rule: cel,
    message,
    ...(fieldPath && { fieldPath }),
    ...(optionalOldSelf && { optionalOldSelf }),
  });
}

function schemaOf(version: string): CrdSchema {
  const root: CrdSchema = {
    type: "object",
    description: "A set of memcached servers and the Service in front of them.",
    properties: {
      apiVersion: { type: "string", description: `${names.group}/${version}`, maxLength: 64 },
      kind: { type: "string", description: names.kind, maxLength: 64 },
      metadata: { type: "object", properties: { name: { type: "string", maxLength: 253 } } },
      // The API server validates this default before it applies the defaults of the fields, so it includes them.
      spec: { ...crdSchema(Spec), default: defaults },
      status: { ...crdSchema(Status), default: unseenStatus },
    },
  };
  [nameRule, ...rules].forEach((rule) => addRule(root, rule));
  if (version === names.deprecatedVersion) {
    at(root, "spec.size").description =
      "Number of servers, 1 to 3 (0 to 100 in v1). kubectl scale writes this field. If it is left out, the current number stays; a new resource gets 1.";
    addRule(root, deprecatedSizeRule);
  }
  return root;
}

const condition = (type: string, field: string): string => `.status.conditions[?(@.type=="${type}")].${field}`;

const columns = [
  { name: "Size", type: "integer", jsonPath: ".spec.size", description: "Desired servers." },
  { name: "Ready", type: "integer", jsonPath: ".status.readyReplicas", description: "Ready servers." },
  {
    name: "Available",
    type: "string",
    jsonPath: condition("Available", "status"),
    description: "Whether all desired servers are available.",
  },
  { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  {
    name: "Image",
    type: "string",
    jsonPath: ".spec.image",
    priority: 1,
    description: "Image of the spec, if it has one.",
  },
  {
    name: "Message",
    type: "string",
    jsonPath: condition("Ready", "message"),
    priority: 1,
    description: "Message of the condition Ready.",
  },
];

function versionOf(name: string): object {
  const deprecated = name === names.deprecatedVersion;
  return {
    name,
    served: true,
    storage: name === names.storedVersion,
    ...(deprecated && {
      deprecated: true,
      deprecationWarning: `${names.group}/${name} ${names.kind} is deprecated; use ${names.apiVersion}`,
    }),
    additionalPrinterColumns: columns,
    subresources: {
      status: {},
      scale: {
        specReplicasPath: ".spec.size",
        statusReplicasPath: ".status.replicas",
        labelSelectorPath: ".status.selector",
      },
    },
    schema: { openAPIV3Schema: schemaOf(name) },
  };
}

/** The CustomResourceDefinition with both versions. They have the same shape, so no conversion is needed. */
export function memcachedCrd() {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: names.crdName },
    spec: {
      group: names.group,
      scope: "Namespaced",
      names: {
        kind: names.kind,
        listKind: `${names.kind}List`,
        plural: names.plural,
        singular: names.singular,
        shortNames: names.shortNames,
        categories: ["all"],
      },
      conversion: { strategy: "None" },
      versions: names.versions.map(versionOf),
    },
  };
}
