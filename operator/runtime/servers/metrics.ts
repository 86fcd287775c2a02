import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { Registry } from "prom-client";

export const metricsPath = "/metrics";

/** The answer to a request that is not served. */
export interface Refusal {
  status: number;
  headers?: Record<string, string>;
  text: string;
}

/** Gives the refusal of a request, or undefined to serve it. */
export type Admit = (request: IncomingMessage) => Promise<Refusal | undefined>;

/** GET /metrics in the text format, for those who are admitted. */
export function metricsListener(registry: Registry, admit?: Admit): RequestListener {
  return (request, response) => {
    serve(registry, admit, request, response).catch((error: unknown) =>
      answer(request, response, { status: 500, text: `${String(error)}\n` }),
    );
  };
}

async function serve(registry: Registry, admit: Admit | undefined, request: IncomingMessage, response: ServerResponse) {
  const refusal = notServed(request) ?? (await admit?.(request));
  if (refusal) return answer(request, response, refusal);
  const text = await registry.metrics();
  answer(request, response, { status: 200, headers: { "content-type": registry.contentType }, text });
}

function notServed({ url, method }: IncomingMessage): Refusal | undefined {
  if (url?.split("?", 1)[0] !== metricsPath) return { status: 404, text: "404 page not found\n" };
  if (method === "GET" || method === "HEAD") return undefined;
  return { status: 405, headers: { allow: "GET, HEAD" }, text: `405 method not allowed: GET ${metricsPath}\n` };
}

function answer(request: IncomingMessage, response: ServerResponse, { status, headers, text }: Refusal): void {
  if (response.headersSent) return void response.end();
  response.writeHead(status, {
    "content-type": "text/plain; charset=utf-8",
    "x-content-type-options": "nosniff",
    "content-length": Buffer.byteLength(text),
    ...headers,
  });
  response.end(request.method === "HEAD" ? undefined : text);
}
