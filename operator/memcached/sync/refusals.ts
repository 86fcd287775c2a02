import { ApiError, isApiError } from "../../runtime";
import type { Problem } from "../status/observedState";
import { inOwnFields } from "./ownFields";

/** True for an answer that a later try may well change: it is retried soon and not shown to people. */
function isPassing({ code }: ApiError): boolean {
  return [401, 409, 429, 503, 504].includes(code);
}

/** The API server's refusal in a reason and its own words; undefined for what is not a refusal, or will pass by itself. */
export function refusalOf(error: unknown): Problem | undefined {
  if (!(error instanceof ApiError) || isPassing(error)) return undefined;
  const reason = reasonOf(error);
  return { reason, message: reason === "Invalid" ? inOwnFields(error) : error.message };
}

/** Nothing can be created there any more: the namespace is going, or gone. */
export function isNamespaceEnding(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.hasCause("NamespaceTerminating") || (error.code === 404 && error.details?.kind === "namespaces");
}

/**
 * The plugin OwnerReferencesPermissionEnforcement looks kinds up in a list it renews every 30 s: until then it refuses owners of a
 * kind that was installed just now.
 */
export function isKindUnknownYet(error: unknown): boolean {
  return isApiError(error, 403) && error.message.includes("cannot find RESTMapping");
}

function reasonOf({ code, message }: ApiError): string {
  if (/exceeded quota|insufficient quota|failed quota/.test(message)) return "QuotaExceeded";
  if (/denied (the )?request|violates PodSecurity|failed calling webhook/.test(message)) return "AdmissionDenied";
  if (code === 403) return "Forbidden";
  return code >= 500 ? "ServerError" : "Invalid";
}
