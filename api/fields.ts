import { type Static, Type } from "@sinclair/typebox";
import type { Field } from "./field";
import * as auth from "./fields/auth";
import * as childLabels from "./fields/childLabels";
import * as connections from "./fields/connections";
import * as disruptionBudget from "./fields/disruptionBudget";
import * as extraArgs from "./fields/extraArgs";
import * as image from "./fields/image";
import * as maxItemSize from "./fields/maxItemSize";
import * as memory from "./fields/memory";
import * as networkPolicy from "./fields/networkPolicy";
import * as placement from "./fields/placement";
import * as podMetadata from "./fields/podMetadata";
import * as port from "./fields/port";
import * as reload from "./fields/reload";
import * as resources from "./fields/resources";
import * as rollout from "./fields/rollout";
import * as service from "./fields/service";
import * as serviceAccountName from "./fields/serviceAccountName";
import * as size from "./fields/size";
import * as tls from "./fields/tls";
import * as verbosity from "./fields/verbosity";
import * as workload from "./fields/workload";
import type { Rule } from "./rule";

/** Every field of spec, in the order of the documentation. All that describes a field is generated from these. */
const fields = [
  size,
  image,
  port,
  memory,
  connections,
  maxItemSize,
  verbosity,
  extraArgs,
  resources,
  workload,
  rollout,
  placement,
  podMetadata,
  serviceAccountName,
  childLabels,
  service,
  tls,
  auth,
  reload,
  disruptionBudget,
  networkPolicy,
] as const;

type Intersection<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type Properties = Intersection<(typeof fields)[number]["properties"]>;

const properties = Object.assign({}, ...fields.map((field) => field.properties)) as Properties;

export const Spec = Type.Object(properties, { description: "The desired state." });

export type MemcachedSpec = Static<typeof Spec>;

/** The fields that have a default. */
export type Defaulted = {
  [Name in keyof Properties]: Properties[Name] extends { default: unknown } ? Name : never;
}[keyof Properties];

/** Every rule of spec. */
export const rules: Rule[] = (fields as readonly Field[]).flatMap(({ rules = [] }) => rules);
