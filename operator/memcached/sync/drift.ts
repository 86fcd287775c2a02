import { hash } from "node:crypto";
import type { KubeObject } from "../../runtime";
import { fieldsMatch } from "./fieldsMatch";

/** Annotation that keeps the hash of the body applied last, so that a restarted operator knows which fields it once owned. */
export const hashAnnotation = "cache.example.com/applied-hash";

/** What to send to make a live object what it should be: `scale` is enough where only the number of replicas differs. */
export type Need = "nothing" | "scale" | "apply";

/** A child as it should be, made only when it is looked at. */
export interface Desired {
  /** Names everything that the body is made of: an equal revision means an equal body. */
  revision: string;
  /** Carries its own hash; see `withHash`. May throw. */
  body: () => KubeObject;
}

interface Left {
  revision: string;
  hash: string | undefined;
  replicas: number | undefined;
  seal: string;
  /** What the API server made of it, where a policy changed fields of ours. */
  answer?: KubeObject;
}

/** The body with its own hash noted in it. `spec.replicas` does not count: it is always there, and its own request changes it. */
export function withHash<T extends KubeObject>(body: T): T {
  const text = JSON.stringify(withReplicas(body, undefined));
  const annotations = { ...body.metadata.annotations, [hashAnnotation]: hash("sha256", text, "hex").slice(0, 16) };
  return { ...body, metadata: { ...body.metadata, annotations } };
}

/**
 * Keeps writes from being sent that would change nothing. An object is left alone when it is as our last write left it, in
 * everything that a person or a policy could have changed: generation, labels, annotations, owners, and the spec where there is no
 * generation. resourceVersion says nothing here, since every status update moves it.
 */
export class DriftDetector {
  private readonly left = new Map<string, Left>();

  needs(live: KubeObject | undefined, wanted: Desired): Need {
    if (!live) return "apply";
    const last = this.left.get(slot(live));
    const untouched = last?.seal === fingerprint(live);
    if (untouched && last.revision === wanted.revision) return "nothing";
    const body = wanted.body();
    if (untouched && last.hash === hashOf(body) && last.replicas === replicasOf(body)) {
      last.revision = wanted.revision;
      return "nothing";
    }
    // Changed by someone, or first seen after a restart: what matters is whether our own fields still hold.
    const answer = last?.hash === hashOf(body) && isSame(last?.answer, live) ? last?.answer : undefined;
    if (hashOf(live) !== hashOf(body) || !fieldsMatch(live, withReplicas(body, undefined), answer)) return "apply";
    if (replicasOf(live) !== replicasOf(body)) return "scale";
    this.applied(wanted, live);
    return "nothing";
  }

  /** Takes note of what the API server answered to the write of `wanted`. */
  applied(wanted: Desired, answer: KubeObject): void {
    const body = wanted.body();
    this.left.set(slot(body), {
      revision: wanted.revision,
      hash: hashOf(body),
      replicas: replicasOf(body),
      seal: fingerprint(answer),
      ...(fieldsMatch(answer, withReplicas(body, undefined)) ? {} : { answer }),
    });
  }

  /** Forgets the object named in `body`, once its resource is gone. */
  forget(body: Pick<KubeObject, "kind" | "metadata">): void {
    this.left.delete(slot(body));
  }
}

const isSame = (one: KubeObject | undefined, other: KubeObject): boolean => one?.metadata.uid === other.metadata.uid;

interface Scaled extends KubeObject {
  spec?: { replicas?: number };
}

export function replicasOf(object: KubeObject): number | undefined {
  return (object as Scaled).spec?.replicas;
}

function withReplicas(body: KubeObject, replicas: number | undefined): KubeObject {
  const { spec } = body as Scaled;
  return spec && "replicas" in spec ? ({ ...body, spec: { ...spec, replicas } } as Scaled) : body;
}

/** The hash of the body that an object was made or applied with. */
export function hashOf(object: Pick<KubeObject, "metadata">): string | undefined {
  return object.metadata.annotations?.[hashAnnotation];
}

function slot({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): string {
  return `${kind}/${metadata.namespace}/${metadata.name}`;
}

/** Everything of an object that a person or a policy may have changed, in short. */
export function fingerprint(live: KubeObject): string {
  const { uid, generation, labels, annotations, ownerReferences } = live.metadata;
  const spec = generation === undefined ? (live as { spec?: unknown }).spec : undefined;
  // The API server sends maps sorted by key.
  const parts = JSON.stringify([uid, generation, labels, annotations, ownerReferences, spec]);
  return hash("sha256", parts, "base64");
}
