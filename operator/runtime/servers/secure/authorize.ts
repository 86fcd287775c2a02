import type { IncomingMessage } from "node:http";
import { isApiError } from "../../errors";
import type { Admit, Refusal } from "../metrics";
import type { Reviews } from "./reviews";

/** The token of an Authorization header of RFC 6750, if it is one. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^\s*bearer +([\x21-\x7e]+)\s*$/i.exec(header ?? "")?.[1];
}

const unauthorized: Refusal = {
  status: 401,
  headers: { "www-authenticate": "Bearer" },
  text: "Unauthorized: give the token of a service account that may get this path as Authorization: Bearer TOKEN\n",
};

/**
 * Admits whoever the API server lets get `path`: 401 for no token or a bad one, 403 without the right; 503 when the API server cannot
 * be asked just now, 500 when it refuses to be asked.
 */
export function authorizer(reviews: Pick<Reviews, "user" | "allowed">, path: string): Admit {
  return async (request: Pick<IncomingMessage, "headers">) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) return unauthorized;
    try {
      const user = await reviews.user(token);
      if (!user) return unauthorized;
      if (await reviews.allowed(user, "get", path)) return undefined;
      return { status: 403, text: `Forbidden: ${user.username ?? "this token's user"} may not get ${path}\n` };
    } catch (error) {
      return unable(error);
    }
  };
}

/** What is wrong is told to the log, not to callers whom nobody knows. */
function unable(error: unknown): Refusal {
  if (isApiError(error, 403) || isApiError(error, 401)) {
    return { status: 500, text: "Who you are could not be checked, for lack of rights: the log says which\n" };
  }
  const headers = { "retry-after": "5" };
  return { status: 503, headers, text: "Who you are could not be checked just now: the log says why\n" };
}
