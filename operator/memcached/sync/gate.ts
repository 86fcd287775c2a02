import { createHash } from "node:crypto";
import type { KubeObject } from "../../runtime";
import { covers } from "./covers";

/** Annotation that keeps the hash of the body applied last, so that a restarted operator knows which fields it once owned. */
export const hashAnnotation = "cache.example.com/applied-hash";

/** The body with its own hash noted in it. */
export function withHash<T extends KubeObject>(body: T): T {
  const hash = createHash("sha256").update(JSON.stringify(body)).digest("hex").slice(0, 16);
  const annotations = { ...body.metadata.annotations, [hashAnnotation]: hash };
  return { ...body, metadata: { ...body.metadata, annotations } };
}

/**
 * Keeps applies from being sent that would change nothing. An object is left alone when it is as our last apply left it, in
 * everything that a person or a policy could have changed: generation, labels, annotations, owners, and the spec where there is no
 * generation. resourceVersion says nothing here, since every status update moves it.
 */
export class Gate {
  private readonly left = new Map<string, { hash: string | undefined; seal: string }>();

  /** Whether `body` (which carries its hash) has to be applied to make `live` what it should be. */
  needsApply(live: KubeObject | undefined, body: KubeObject): boolean {
    if (!live) return true;
    const hash = hashOf(body);
    const last = this.left.get(slot(body));
    if (last?.hash === hash && last?.seal === sealOf(live)) return false;
    // Changed by someone, or first seen after a restart: what matters is whether our own fields still hold.
    if (hashOf(live) !== hash || !covers(live, body)) return true;
    this.applied(body, live);
    return false;
  }

  /** Takes note of what the API server answered to the apply of `body`. */
  applied(body: KubeObject, answer: KubeObject): void {
    this.left.set(slot(body), { hash: hashOf(body), seal: sealOf(answer) });
  }

  /** Forgets the object named in `body`, once its resource is gone. */
  forget(body: Pick<KubeObject, "kind" | "metadata">): void {
    this.left.delete(slot(body));
  }
}

function hashOf(object: KubeObject): string | undefined {
  return object.metadata.annotations?.[hashAnnotation];
}

function slot({ kind, metadata }: Pick<KubeObject, "kind" | "metadata">): string {
  return `${kind}/${metadata.namespace}/${metadata.name}`;
}

/** Everything of an object that a person or a policy may have changed, in short. */
export function sealOf(live: KubeObject): string {
  const { uid, generation, labels, annotations, ownerReferences } = live.metadata;
  const spec = generation === undefined ? (live as { spec?: unknown }).spec : undefined;
  const parts = JSON.stringify([uid, generation, sorted(labels), sorted(annotations), ownerReferences, spec]);
  return createHash("sha256").update(parts).digest("base64");
}

function sorted(map: Record<string, string> | undefined): [string, string][] {
  return Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
}
