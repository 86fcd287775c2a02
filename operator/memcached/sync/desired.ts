import { hash } from "node:crypto";
import type { Memcached } from "../../../api";
import type { KubeObject } from "../../runtime";
import type { Child, Environment } from "../children/child";

/** Annotation that keeps the hash of the body applied last, so that a restarted operator knows which fields it once owned. */
export const hashAnnotation = "cache.example.com/applied-hash";

/** A child as it should be. */
export interface DesiredChild {
  /** Names everything that the body is made of: an equal revision means an equal body. */
  revision: string;
  /** Made when it is first looked at; carries its own hash. Throws an `InvalidSpecError` for a spec that makes none. */
  body: () => KubeObject;
}

/** A spec that no body can be made of; the message names the field. */
export class InvalidSpecError extends Error {}

export function desiredChild(
  memcached: Memcached,
  child: Child,
  environment: Environment,
  takesOver = false,
): DesiredChild {
  const { uid, generation } = memcached.metadata;
  let body: KubeObject | undefined;
  return {
    revision: `${uid}/${generation}/${numberOf(environment)}/${takesOver}`,
    body: () => (body ??= withHash(bodyOf(() => child.body(memcached, environment, takesOver)))),
  };
}

function bodyOf(make: () => KubeObject): KubeObject {
  try {
    return make();
  } catch (error) {
    throw new InvalidSpecError(`spec: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const numbers = new WeakMap<Environment, number>();
let last = 0;

function numberOf(environment: Environment): number {
  let number = numbers.get(environment);
  if (number === undefined) numbers.set(environment, (number = ++last));
  return number;
}

/** The body with its own hash noted in it. `spec.replicas` does not count: it is always there, and its own request changes it. */
export function withHash<T extends KubeObject>(body: T): T {
  const text = JSON.stringify(withoutReplicas(body));
  const annotations = { ...body.metadata.annotations, [hashAnnotation]: hash("sha256", text, "hex").slice(0, 16) };
  return { ...body, metadata: { ...body.metadata, annotations } };
}

/** The hash of the body that an object was made or applied with. */
export function hashOf(object: Pick<KubeObject, "metadata">): string | undefined {
  return object.metadata.annotations?.[hashAnnotation];
}

interface Scaled extends KubeObject {
  spec?: { replicas?: number };
}

export function replicasOf(object: KubeObject): number | undefined {
  return (object as Scaled).spec?.replicas;
}

export function withoutReplicas(body: KubeObject): KubeObject {
  const { spec } = body as Scaled;
  return spec && "replicas" in spec ? ({ ...body, spec: { ...spec, replicas: undefined } } as Scaled) : body;
}
