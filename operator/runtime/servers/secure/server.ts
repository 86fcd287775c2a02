import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { SecureContextOptions, Server } from "node:tls";
import type { KeyPair } from "./certificate";

const handshakeTimeoutMs = 10_000;
const headersTimeoutMs = 32_000;
/** Longer than the usual interval between two scrapes: a scraper keeps its connection. */
const idleTimeoutMs = 90_000;
const maxConnections = 256;

/** What TLS is made of, at first and with each new pair. */
export const tlsOptions = (pair: KeyPair): SecureContextOptions => ({ ...pair, minVersion: "TLSv1.2" });

/** HTTPS from TLS 1.2 on; HTTP/2 only when asked for, since its streams have more ways to exhaust a server. */
export async function secureServer(listener: RequestListener, pair: KeyPair, http2: boolean): Promise<Server> {
  const options = { ...tlsOptions(pair), handshakeTimeout: handshakeTimeoutMs };
  const server = http2
    ? await http2Server(listener, options)
    : createServer(
        {
          ...options,
          ALPNProtocols: ["http/1.1"],
          headersTimeout: headersTimeoutMs,
          requestTimeout: headersTimeoutMs,
          keepAliveTimeout: idleTimeoutMs,
        },
        listener,
      );
  server.maxConnections = maxConnections;
  return server;
}

async function http2Server(listener: RequestListener, options: SecureContextOptions): Promise<Server> {
  const { createSecureServer } = await import("node:http2");
  // Its requests and responses have all that a listener for HTTP/1.1 uses.
  const handler = listener as unknown as Parameters<typeof createSecureServer>[1];
  const settings = { maxConcurrentStreams: 100 };
  const server = createSecureServer({ ...options, settings, allowHTTP1: true }, handler);
  return server.setTimeout(idleTimeoutMs);
}
