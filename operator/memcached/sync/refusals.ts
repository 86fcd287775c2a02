import { ApiError, type KubeObject, delayAfter, isApiError } from "../../runtime";
import type { Problem } from "../status/observedState";
import { fieldsMatch } from "./drift";
import { inOwnFields } from "./ownFields";

/** Why a request was refused: what somebody has to mend, or what will pass without anyone's help. */
export interface Refusal {
  problem?: Problem;
  /** What has to go, or to come, first. */
  waitingFor?: string;
}

/** The API server's refusal in a reason and its own words; undefined for an error that a retry may mend at once. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (isKindUnknownYet(error)) return { waitingFor: "the API server does not know the kind Memcached yet" };
  if ([401, 409, 429, 503, 504].includes(error.code)) return undefined;
  const reason = reasonOf(error);
  return { problem: { reason, message: reason === "Invalid" ? inOwnFields(error) : error.message } };
}

/** Nothing can be created there any more: the namespace is being deleted, or gone. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.hasCause("NamespaceTerminating") || (error.code === 404 && error.details?.kind === "namespaces");
}

/**
 * The plugin OwnerReferencesPermissionEnforcement looks kinds up in a list it renews every 30 s: until then it refuses owners of a
 * kind that was installed just now.
 */
function isKindUnknownYet(error: ApiError): boolean {
  return isApiError(error, 403) && error.message.includes("cannot find RESTMapping");
}

function reasonOf({ code, message }: ApiError): string {
  if (/exceeded quota|insufficient quota|failed quota/.test(message)) return "QuotaExceeded";
  if (/denied (the )?request|violates PodSecurity|failed calling webhook/.test(message)) return "AdmissionDenied";
  if (code === 403) return "Forbidden";
  return code >= 500 ? "ServerError" : "Invalid";
}

/** A request that was refused. */
export interface Refused {
  /** Tells it from others: another body or another observed object deserves a try at once. */
  request: string;
  why: Refusal;
  failures: number;
  retryAt: number;
}

interface State {
  refused?: Refused;
}

/** A quarter less at most, so that many resources do not come back together. */
const backoff = { minMs: 1_000, maxMs: 60_000, jitter: -0.25 };

/** Why the request is not to be sent now, and for how long. */
export function backingOff({ refused }: State, request: string, now: number) {
  const retryAfterMs = refused?.request === request ? refused.retryAt - now : 0;
  return refused && retryAfterMs > 0 ? { ...refused.why, retryAfterMs } : undefined;
}

/** Takes note of a refusal; gives how long the same request has to wait. */
export function backOff(state: State, request: string, why: Refusal, now: number, random = Math.random) {
  const failures = state.refused?.failures ?? 0;
  const retryAfterMs = delayAfter(failures, { ...backoff, random });
  state.refused = { request, why, failures: failures + 1, retryAt: now + retryAfterMs };
  return { ...why, retryAfterMs };
}

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
export function immutableProblem(observed: KubeObject, body: KubeObject): Problem | undefined {
  const [is, should] = [(observed as Workload).spec, (body as Workload).spec];
  if (!is || !should) return undefined;
  const others = fixed.filter((field) => should[field] !== undefined && !isEqual(is[field], should[field]));
  if (others.length === 0) return undefined;
  const { kind } = body;
  const { namespace, name } = observed.metadata;
  const named = others.map((field) => `spec.${field} is ${text(is[field])} and should be ${text(should[field])}`);
  const command = `kubectl delete ${kind.toLowerCase()} ${name} -n ${namespace}`;
  const isAdoptedFrom = fieldsMatch(is.template?.metadata?.labels ?? {}, should.selector?.matchLabels ?? {});
  const remedy = isAdoptedFrom
    ? `delete the ${kind} but keep its pods, and the operator creates a new one that adopts them: ${command} --cascade=orphan --wait=false`
    : `delete the ${kind} with its pods, and the operator recreates it: ${command}`;
  // A pod keeps the domain it was made with.
  const names = others.includes("serviceName")
    ? `; then give its servers their names with kubectl rollout restart ${kind.toLowerCase()}/${name} -n ${namespace}`
    : "";
  return {
    reason: "ImmutableField",
    message: `${kind} ${namespace}/${name}: ${named.join(", and ")}, but Kubernetes does not allow this change: ${remedy}${names}`,
  };
}

/** A selector of more labels than ours is another one. */
const isEqual = (one: unknown, other: unknown): boolean =>
  fieldsMatch({ value: one }, { value: other }) && fieldsMatch({ value: other }, { value: one });

const text = (value: unknown): string => JSON.stringify(value) ?? "not set";
