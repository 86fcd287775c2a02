import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** A named part of /healthz or /readyz: undefined when fine, what is missing when it fails, a remark on what is well enough. */
export type Check = () => string | { remark: string } | undefined;

type Result = ReturnType<Check>;

/** Named checks behind one path. */
export class Checks {
  private readonly checks = new Map<string, Check>();

  add(name: string, check: Check): void {
    this.checks.set(name, check);
  }

  /** Each check's name with what it says. */
  run(only?: string, exclude: string[] = []): Map<string, Result> | undefined {
    if (only !== undefined && !this.checks.has(only)) return undefined;
    const results = new Map<string, Result>();
    for (const [name, check] of this.checks) {
      if ((only === undefined || name === only) && !exclude.includes(name)) results.set(name, check());
    }
    return results;
  }
}

/** /healthz and /readyz with /NAME, ?exclude=NAME and ?verbose, in controller-runtime's format: what is missing stands in the body of the 500. */
export function healthServer(healthz: Checks, readyz: Checks): Server {
  const paths: Record<string, Checks> = { healthz, readyz };
  return createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://probe");
    const [, root = "", name, ...more] = url.pathname.split("/");
    const checks = more.length === 0 ? paths[root] : undefined;
    const results = checks?.run(name || undefined, url.searchParams.getAll("exclude"));
    if (!results) return answer(request, response, 404, "404 page not found\n");
    const failed = Array.from(results.values()).some((result) => typeof result === "string");
    if (!failed && !url.searchParams.has("verbose")) return answer(request, response, 200, "ok");
    const lines = Array.from(results, ([check, result]) => {
      if (typeof result === "string") return `[-]${check} failed: ${result}`;
      return result ? `[+]${check} ok, but ${result.remark}` : `[+]${check} ok`;
    });
    lines.push(`${root} check ${failed ? "failed" : "passed"}`, "");
    answer(request, response, failed ? 500 : 200, lines.join("\n"));
  });
}

function answer(request: IncomingMessage, response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-length": Buffer.byteLength(body),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
