import { hash } from "node:crypto";
import type { Memcached } from "../../../api";
import type { KubeObject } from "../../runtime";
import type { Child, Environment } from "../children/child";

/** Annotation with the hash of the body applied last, so that a restarted operator knows which fields it owns. */
const hashAnnotation = "cache.example.com/applied-hash";

/** The desired state of a child. */
export interface DesiredChild {
  /** Identifies all inputs of the body: an equal revision means an equal body. */
  revision: string;
  /** Computed on first use; has its own hash. Throws an `InvalidSpecError` if the spec is invalid. */
  body: () => KubeObject;
}

/** The spec is invalid; the message names the field. */
export class InvalidSpecError extends Error {}

export function desiredChild(
  memcached: Memcached,
  child: Child,
  environment: Environment,
  takesOver = false,
): DesiredChild {
  const { uid, generation } = memcached.metadata;
  let body: KubeObject | undefined;
  const compute = (): KubeObject => {
    try {
      return withHash(child.body(memcached, environment, takesOver));
    } catch (error) {
      throw new InvalidSpecError(`spec: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  };
  return {
    revision: `${uid}/${generation}/${numberOf(environment)}/${takesOver}`,
    body: () => (body ??= compute()),
  };
}

const numbers = new WeakMap<Environment, number>();
let last = 0;

function numberOf(environment: Environment): number {
  let number = numbers.get(environment);
  if (number === undefined) numbers.set(environment, (number = ++last));
  return number;
}

/** Adds the body's hash, without `spec.replicas`, which has a request of its own. */
export function withHash<T extends KubeObject>(body: T): T {
  const text = JSON.stringify(withoutReplicas(body));
  const annotations = { ...body.metadata.annotations, [hashAnnotation]: hash("sha256", text, "hex").slice(0, 16) };
  return { ...body, metadata: { ...body.metadata, annotations } };
}

/** The hash of the body that was applied last. */
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
