import type { IncomingMessage } from "node:http";
import { isApiError } from "../../errors";
import { Outage } from "../../outage";
import type { Logger } from "../../types";
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
 * Admits whoever the API server lets get `path`: 401 for no token or a bad one, 403 without the right. When it cannot be asked the log says
 * why, once for each cause: 503 when it may answer later, 500 when our own account lacks the right to ask.
 */
export function reviewed(reviews: Pick<Reviews, "user" | "allowed">, path: string, log: Logger): Admit {
  const outage = new Outage(log, `Asking the API server who may get ${path}`);
  return async (request: Pick<IncomingMessage, "headers">) => {
    const token = bearerToken(request.headers.authorization);
    if (token === undefined) return unauthorized;
    try {
      const user = await reviews.user(token);
      const allowed = user && (await reviews.allowed(user, "get", path));
      outage.recovered();
      if (!user) return unauthorized;
      const text = `Forbidden: ${user.username ?? "this token's user"} may not get ${path}\n`;
      return allowed ? undefined : { status: 403, text };
    } catch (error) {
      return unable(error, outage);
    }
  };
}

function unable(error: unknown, outage: Outage): Refusal {
  const cause = error instanceof Error ? error.message : String(error);
  if (isApiError(error, 403) || isApiError(error, 401)) {
    outage.failed(`${cause}: let this program's account create tokenreviews and subjectaccessreviews`);
    return { status: 500, text: "Who you are could not be checked, for lack of rights: the log says which\n" };
  }
  outage.failed(cause);
  const headers = { "retry-after": "5" };
  return { status: 503, headers, text: "Who you are could not be checked just now: the log says why\n" };
}
