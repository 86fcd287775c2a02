/** One cause in a Status, after metav1.StatusCause. */
export interface StatusCause {
  reason?: string;
  message?: string;
  field?: string;
}

/** The part of metav1.StatusDetails, what a Status says besides its sentence, that is read here. */
export interface StatusDetails {
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
}

/** The API server refused. `message` is its own sentence, `reason` its metav1.StatusReason ("" when it gave none). */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: StatusDetails,
    readonly retryAfterSeconds?: number,
  ) {
    super(message);
  }

  /** True when one of the Status' causes has this reason, e.g. "NamespaceTerminating". */
  hasCause(reason: string): boolean {
    return this.details?.causes?.some((cause) => cause.reason === reason) ?? false;
  }
}

/** No answer came: connecting failed, the connection broke or time ran out. `code` is Node's or undici's, or "TIMEOUT". */
export class TransportError extends Error {
  override readonly name = "TransportError";

  constructor(
    readonly code: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** A write was held back because another replica may be the leader by now. Nothing was sent. */
export class FencedError extends Error {
  override readonly name = "FencedError";
}

/** The lease was lost or could not be renewed in time; the process must not go on. */
export class LeaderLostError extends Error {
  override readonly name = "LeaderLostError";
}

/** True for an `ApiError`, with this HTTP status if one is given. */
export function isApiError(error: unknown, code?: number): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
