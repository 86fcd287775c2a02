import { ApiError, type KubeObject, delayAfter, isApiError } from "../../runtime";
import type { Problem } from "../status/observedState";
import { fieldsMatch } from "./drift";
import { inOwnFields } from "./ownFields";

/** Why a request was refused: a problem that someone must solve, or something to wait for. */
export interface Refusal {
  problem?: Problem;
  /** What must happen first, without anyone's help. */
  waitingFor?: string;
}

/** The reason and message of a refusal; undefined for an error that an immediate retry may solve. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof ApiError)) return undefined;
  if (isKindUnknownYet(error)) return { waitingFor: "the API server does not know the kind Memcached yet" };
  if ([401, 409, 429, 503, 504].includes(error.code)) return undefined;
  const reason = reasonOf(error);
  return { problem: { reason, message: reason === "Invalid" ? inOwnFields(error) : error.message } };
}

/** Whether the namespace is being deleted or is gone. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.hasCause("NamespaceTerminating") || (error.code === 404 && error.details?.kind === "namespaces");
}

/**
 * The admission plugin OwnerReferencesPermissionEnforcement renews its list of kinds every 30 s. Until then it refuses owners of a
 * newly installed kind.
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
  /** Identifies the request: one with another body or another observed object is sent at once. */
  request: string;
  why: Refusal;
  failures: number;
  retryAt: number;
}

interface State {
  refused?: Refused;
}

/** Backoff of a refused request. The jitter shortens it by up to a quarter, so that many resources do not retry together. */
const backoff = { minMs: 1_000, maxMs: 60_000, jitter: -0.25 };

/** Why the request must not be sent now, and for how long. */
export function backingOff({ refused }: State, request: string, now: number) {
  const retryAfterMs = refused?.request === request ? refused.retryAt - now : 0;
  return refused && retryAfterMs > 0 ? { ...refused.why, retryAfterMs } : undefined;
}

/** Records a refusal, and returns how long the same request must wait. */
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

/** The immutable fields of a workload's spec that the operator applies. */
const fixed = ["selector", "serviceName", "podManagementPolicy"] as const;

/**
 * The immutable fields of a workload that differ, and the remedy; undefined if none differs. The operator does not recreate the
 * workload itself, because only people can decide whether its pods may be lost.
 */
export function immutableProblem(observed: KubeObject, body: KubeObject): Problem | undefined {
  const [is, should] = [(observed as Workload).spec, (body as Workload).spec];
  if (!is || !should) return undefined;
  const differing = fixed.filter((field) => should[field] !== undefined && !isEqual(is[field], should[field]));
  if (differing.length === 0) return undefined;
  const { kind } = body;
  const { namespace, name } = observed.metadata;
  const named = differing.map((field) => `spec.${field} is ${text(is[field])} and should be ${text(should[field])}`);
  const command = `kubectl delete ${kind.toLowerCase()} ${name} -n ${namespace}`;
  const isAdoptedFrom = fieldsMatch(is.template?.metadata?.labels ?? {}, should.selector?.matchLabels ?? {});
  const remedy = isAdoptedFrom
    ? `delete the ${kind} but keep its pods, and the operator creates a new one that adopts them: ${command} --cascade=orphan --wait=false`
    : `delete the ${kind} with its pods, and the operator recreates it: ${command}`;
  // A pod keeps the subdomain that it was created with.
  const names = differing.includes("serviceName")
    ? `; then give its servers their names with kubectl rollout restart ${kind.toLowerCase()}/${name} -n ${namespace}`
    : "";
  return {
    reason: "ImmutableField",
    message: `${kind} ${namespace}/${name}: ${named.join(", and ")}, but Kubernetes does not allow this change: ${remedy}${names}`,
  };
}

/** Compares both ways: a selector with additional labels differs. */
const isEqual = (one: unknown, other: unknown): boolean =>
  fieldsMatch({ value: one }, { value: other }) && fieldsMatch({ value: other }, { value: one });

const text = (value: unknown): string => JSON.stringify(value) ?? "not set";
