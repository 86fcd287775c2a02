import type { KubeObject } from "../../runtime";
import type { Problem } from "../status/observedState";
import { fieldsMatch } from "./fieldsMatch";

interface Workload extends KubeObject {
  spec?: {
    selector?: { matchLabels?: Record<string, string> };
    serviceName?: string;
    podManagementPolicy?: string;
    template?: { metadata?: { labels?: Record<string, string> } };
  };
}

/** Fields of a workload's spec that Kubernetes lets nobody change, of those that we apply. */
const fixed = ["selector", "serviceName", "podManagementPolicy"] as const;

/**
 * Why a workload of ours cannot be made what it should be: the fields that differ and never can be changed, and the way out. The
 * object is not replaced unasked: whether its pods fit the new one, and whether they may be lost, is for people to say. Undefined
 * when no such field differs.
 */
export function immutableProblem(live: KubeObject, body: KubeObject): Problem | undefined {
  const [is, should] = [(live as Workload).spec, (body as Workload).spec];
  if (!is || !should) return undefined;
  const others = fixed.filter((field) => should[field] !== undefined && !isEqual(is[field], should[field]));
  if (others.length === 0) return undefined;
  const { kind } = body;
  const { namespace, name } = live.metadata;
  const named = others.map((field) => `spec.${field} is ${text(is[field])} and should be ${text(should[field])}`);
  const command = `kubectl delete ${kind.toLowerCase()} ${name} -n ${namespace}`;
  const isAdoptedFrom = fieldsMatch(is.template?.metadata?.labels ?? {}, should.selector?.matchLabels ?? {});
  const wayOut = isAdoptedFrom
    ? `delete the ${kind} and keep its pods, which the one that the operator then makes takes over: ${command} --cascade=orphan --wait=false`
    : `delete the ${kind}, whose pods go with it, and the operator makes it anew: ${command}`;
  // A pod keeps the domain it was made with.
  const names = others.includes("serviceName")
    ? `; then its servers get their names with kubectl rollout restart ${kind.toLowerCase()}/${name} -n ${namespace}`
    : "";
  return {
    reason: "ImmutableField",
    message: `${kind} ${namespace}/${name}: ${named.join(", and ")}, which Kubernetes does not let anyone change: ${wayOut}${names}`,
  };
}

/** A selector of more labels than ours is another one. */
const isEqual = (live: unknown, wanted: unknown): boolean =>
  fieldsMatch({ live }, { live: wanted }) && fieldsMatch({ live: wanted }, { live });

const text = (value: unknown): string => JSON.stringify(value) ?? "not set";
