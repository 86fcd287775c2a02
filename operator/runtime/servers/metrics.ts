import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { Registry } from "prom-client";

/** Makes the server that metrics are served by; the secure one asks for a certificate and for who is asking. */
export type ServerFactory = (listener: RequestListener) => Server | Promise<Server>;

/** Serves without TLS or authentication. */
export const plainServer: ServerFactory = (listener) => createServer(listener);

/** GET /metrics in the text format. */
export function metricsListener(registry: Registry): RequestListener {
  return (request, response) => {
    if (request.url?.split("?", 1)[0] !== "/metrics") {
      response.writeHead(404).end("404 page not found\n");
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  };
}
