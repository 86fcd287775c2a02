import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseQuantity } from "../../../api";
import type { KubeObject } from "../../runtime";
import { type DesiredChild, hashOf, replicasOf, withoutReplicas } from "./desired";

/** How to bring the observed child to the desired state. `scale` is enough if only the replicas differ. */
export type Action = "none" | "scale" | "apply";

/** The state of a child after our last write. */
export interface LastApplied {
  revision: string;
  hash: string | undefined;
  replicas: number | undefined;
  fingerprint: string;
  /** The API server's response, if a policy changed our fields in it. */
  response?: KubeObject;
}

interface State {
  lastApplied?: LastApplied;
}

/** Detects drift, so that only writes that change something are sent. For what counts as a change, see `fingerprint`. */
export function detectDrift(observed: KubeObject | undefined, desired: DesiredChild, state: State): Action {
  if (!observed) return "apply";
  const { lastApplied: last } = state;
  const isUntouched = last?.fingerprint === fingerprint(observed);
  if (isUntouched && last.revision === desired.revision) return "none";
  const body = desired.body();
  const isSameBody = last?.hash === hashOf(body);
  if (isUntouched && isSameBody && last.replicas === replicasOf(body)) {
    last.revision = desired.revision;
    return "none";
  }
  // Someone changed the object, or the operator restarted: compare our own fields.
  const response = isSameBody && last?.response?.metadata.uid === observed.metadata.uid ? last?.response : undefined;
  if (hashOf(observed) !== hashOf(body) || !fieldsMatch(observed, withoutReplicas(body), response)) return "apply";
  if (replicasOf(observed) !== replicasOf(body)) return "scale";
  noteApplied(desired, observed, state);
  return "none";
}

/** Records the API server's response to a write of `desired`. */
export function noteApplied({ revision, body: make }: DesiredChild, response: KubeObject, state: State): void {
  const body = make();
  state.lastApplied = {
    revision,
    hash: hashOf(body),
    replicas: replicasOf(body),
    fingerprint: fingerprint(response),
    ...(fieldsMatch(response, withoutReplicas(body)) ? {} : { response }),
  };
}

/**
 * A hash of everything that a person or a policy may change: generation, labels, annotations, owners, and the spec if the object has
 * no generation. Not resourceVersion, which every status update changes.
 */
export function fingerprint(object: KubeObject): string {
  const { uid, generation, labels, annotations, ownerReferences } = object.metadata;
  const spec = generation === undefined ? (object as { spec?: unknown }).spec : undefined;
  // The API server sends maps sorted by key.
  const parts = JSON.stringify([uid, generation, labels, annotations, ownerReferences, spec]);
  return hash("sha256", parts, "base64");
}

/** The keys by which server-side apply identifies list items. Any other list is one value. */
const listKeys: Record<string, string[]> = {
  containers: ["name"],
  initContainers: ["name"],
  volumes: ["name"],
  volumeMounts: ["mountPath"],
  env: ["name"],
  imagePullSecrets: ["name"],
  ownerReferences: ["uid"],
  topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
};

/** Fields that the API server leaves out if they are false. */
const omittedIfFalse = ["publishNotReadyAddresses"];

/**
 * Whether the observed object has every field of the body. Defaults and fields of others are ignored, and quantities are compared by
 * value, because the API server rewrites them (2048Mi is 2Gi). `response` is the API server's earlier response to the same body: a
 * field that a policy rewrote or removed there matches as well.
 */
export function fieldsMatch(observed: object, body: object, response?: object): boolean {
  return Object.keys(body).every(
    (name) =>
      // Objects from a list have no apiVersion and kind.
      name === "apiVersion" ||
      name === "kind" ||
      matches(get(observed, name), get(body, name), { name }, within(response && { value: response }, name)),
  );
}

/** The API server's value of a field; undefined if the response is unknown. */
interface Response {
  value: unknown;
}

const within = (response: Response | undefined, name: string): Response | undefined =>
  response && { value: get(response.value, name) };

/** The place of a value in an object. */
interface Place {
  name: string;
  within?: Place;
}

function matches(observed: unknown, desired: unknown, place: Place, response?: Response): boolean {
  return (
    isAsDesired(observed, desired, place, response) ||
    (response !== undefined && isDeepStrictEqual(observed, response.value))
  );
}

function isAsDesired(observed: unknown, desired: unknown, place: Place, response?: Response): boolean {
  if (desired === undefined) return true;
  if (Array.isArray(desired)) return Array.isArray(observed) && listMatches(observed, desired, place, response);
  if (desired !== null && typeof desired === "object") {
    if (observed === null || typeof observed !== "object" || Array.isArray(observed)) return false;
    return Object.keys(desired).every((name) =>
      matches(get(observed, name), get(desired, name), { name, within: place }, within(response, name)),
    );
  }
  if (desired === false && observed === undefined) return omittedIfFalse.includes(place.name);
  return observed === desired || (isQuantity(place) && isSameQuantity(observed, desired));
}

function listMatches(observed: unknown[], desired: unknown[], place: Place, response?: Response): boolean {
  const keys = keysOf(place);
  // One value, which can match the response only as a whole.
  if (!keys) return observed.length === desired.length && desired.every((item, i) => matches(observed[i], item, place));
  const itemOf = (list: unknown, item: unknown): unknown =>
    Array.isArray(list)
      ? (list as unknown[]).find((candidate) => keys.every((key) => get(candidate, key) === get(item, key)))
      : undefined;
  return desired.every((item) =>
    matches(itemOf(observed, item), item, place, response && { value: itemOf(response.value, item) }),
  );
}

function keysOf({ name, within }: Place): string[] | undefined {
  // A Service's ports are identified by port, a container's by containerPort, and both by protocol.
  if (name === "ports") return within?.name === "containers" ? ["containerPort", "protocol"] : ["port", "protocol"];
  return listKeys[name];
}

function get(item: unknown, key: string): unknown {
  return (item as Record<string, unknown> | null | undefined)?.[key];
}

function isQuantity({ name, within }: Place): boolean {
  return within?.name === "requests" || within?.name === "limits" || name === "sizeLimit";
}

function isSameQuantity(one: unknown, other: unknown): boolean {
  try {
    return parseQuantity(String(one)) === parseQuantity(String(other));
  } catch {
    return false;
  }
}
