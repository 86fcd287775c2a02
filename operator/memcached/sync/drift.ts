import { hash } from "node:crypto";
import type { KubeObject } from "../../runtime";
import { type DesiredChild, hashOf, replicasOf, withoutReplicas } from "./desired";
import { fieldsMatch } from "./fieldsMatch";

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
