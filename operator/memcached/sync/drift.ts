import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { parseQuantity } from "../../../api";
import type { KubeObject } from "../../runtime";
import { type DesiredChild, hashOf, replicasOf, withoutReplicas } from "./desired";

/** What makes the observed child the desired one: `scale` is enough where only the number of replicas differs. */
export type Action = "none" | "scale" | "apply";

/** How our last write left a child. */
export interface LastApplied {
  revision: string;
  hash: string | undefined;
  replicas: number | undefined;
  fingerprint: string;
  /** What the API server made of it, where a policy changed fields of ours. */
  response?: KubeObject;
}

interface State {
  lastApplied?: LastApplied;
}

/**
 * Detects drift, so that no write is sent that would change nothing. An object is left alone when it is as our last write left it, in
 * everything that a person or a policy could have changed: see `fingerprint`.
 */
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
  // Changed by someone, or first seen after a restart: what matters is whether our own fields are as they should be.
  const response = isSameBody && last?.response?.metadata.uid === observed.metadata.uid ? last?.response : undefined;
  if (hashOf(observed) !== hashOf(body) || !fieldsMatch(observed, withoutReplicas(body), response)) return "apply";
  if (replicasOf(observed) !== replicasOf(body)) return "scale";
  noteApplied(desired, observed, state);
  return "none";
}

/** Takes note of the API server's response to a write of `desired`. */
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
 * Everything of an object that a person or a policy may have changed, in short: generation, labels, annotations, owners, and the spec
 * where there is no generation. Not resourceVersion, which every status update moves.
 */
export function fingerprint(object: KubeObject): string {
  const { uid, generation, labels, annotations, ownerReferences } = object.metadata;
  const spec = generation === undefined ? (object as { spec?: unknown }).spec : undefined;
  // The API server sends maps sorted by key.
  const parts = JSON.stringify([uid, generation, labels, annotations, ownerReferences, spec]);
  return hash("sha256", parts, "base64");
}

/** The keys by which server-side apply tells the items of a list apart; other lists are one value each. */
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

/** Fields that the API server leaves out when they are false. */
const omittedIfFalse = ["publishNotReadyAddresses"];

/**
 * Whether the observed object already has every field of the body: what the API server defaulted and what others added counts
 * for nothing, and quantities are compared by value, since the server rewrites them (2048Mi is 2Gi). `response` is what the API
 * server has made of the same body before: where a policy rewrites or removes a field, that is as good.
 */
export function fieldsMatch(observed: object, body: object, response?: object): boolean {
  return Object.keys(body).every(
    (name) =>
      // Items of a list come without apiVersion and kind.
      name === "apiVersion" ||
      name === "kind" ||
      matches(get(observed, name), get(body, name), { name }, within(response && { value: response }, name)),
  );
}

/** What the API server had in a place; left out where its response is not known. */
interface Response {
  value: unknown;
}

const within = (response: Response | undefined, name: string): Response | undefined =>
  response && { value: get(response.value, name) };

/** Where in an object a value stands. */
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
  // One value: only as a whole it may be as in the response.
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
  // A Service's ports are told apart by number, a container's by the number inside; protocol counts in both.
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
