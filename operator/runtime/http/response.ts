import type { IncomingHttpHeaders } from "undici/types/header";
import type { StatusDetails } from "../errors";
import { ApiError, TransportError } from "../errors";

/** The Status (or whatever else came) of a refused request as an error in the server's own words. */
export function apiErrorOf(code: number, headers: IncomingHttpHeaders, body: string): ApiError {
  const retryAfter = retryAfterSeconds(headers);
  try {
    const status = JSON.parse(body) as { kind?: string; message?: string; reason?: string; details?: StatusDetails };
    if (status.kind === "Status") {
      const message = status.message || `the server answered HTTP ${code} without a message`;
      return new ApiError(code, status.reason ?? "", message, status.details, retryAfter);
    }
  } catch {
    // Not JSON: a proxy in between, or plain text of the server.
  }
  const text = body.trim().slice(0, 300);
  return new ApiError(code, "", text === "" ? `HTTP ${code}` : `HTTP ${code}: ${text}`, undefined, retryAfter);
}

/** Retry-After in seconds; the API server never sends its date form. */
export function retryAfterSeconds(headers: IncomingHttpHeaders): number | undefined {
  const seconds = Number(headers["retry-after"]);
  return headers["retry-after"] !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

/** Says what was asked of whom and why no answer came. */
export function transportErrorOf(error: unknown, what: string): TransportError {
  if (error instanceof TransportError) return error;
  const { code, message } = deepest(error);
  return new TransportError(code ?? "UNKNOWN", `${what}: ${message}`, { cause: error });
}

function deepest(error: unknown): { code?: string; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return deepest(error.errors[0]);
  if (!(error instanceof Error)) return { message: String(error) };
  return { code: (error as NodeJS.ErrnoException).code, message: error.message };
}
