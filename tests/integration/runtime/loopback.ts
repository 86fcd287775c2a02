/** A TLS server on loopback that answers as a test says: what a real API server cannot be made to do. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePki } from "../../../cluster/pki";
import { Transport } from "../../../operator/runtime";
import type { Config } from "../../../operator/runtime";

export interface Loopback {
  config: Config;
  /** Each request as "METHOD path", in order. */
  requests: string[];
  handshakes: number;
  sockets: Set<Socket>;
  /** Takes another CA and server certificate into use, and drops the connections; `config.tls` follows. */
  rotate(): Promise<void>;
  close(): Promise<void>;
}

export type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export async function loopback(answer: Answer, host = "127.0.0.1"): Promise<Loopback> {
  const dir = mkdtempSync(join(tmpdir(), "loopback-"));
  const material = async (name: string) => {
    const pki = join(dir, name);
    await writePki(pki, [{ file: "server", commonName: "server", names: ["127.0.0.1", "::1", "localhost"] }]);
    const read = (file: string) => readFileSync(join(pki, file), "utf8");
    return { ca: read("ca.crt"), cert: read("server.crt"), key: read("server.key") };
  };
  let current = await material("first");
  let tls = { ca: current.ca };
  const server = createServer(current, (request, response) => {
    result.requests.push(`${request.method} ${request.url}`);
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => answer(request, response, body));
  });
  server.on("secureConnection", (socket: Socket) => {
    result.handshakes++;
    result.sockets.add(socket);
    socket.on("close", () => result.sockets.delete(socket)).on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  const dropAll = () => result.sockets.forEach((socket) => socket.destroy());
  const result: Loopback = {
    config: {
      server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
      tls: () => Promise.resolve(tls),
      authorization: () => Promise.resolve(undefined),
    },
    requests: [],
    handshakes: 0,
    sockets: new Set(),
    async rotate() {
      current = await material("second");
      server.setSecureContext(current);
      tls = { ca: current.ca };
      dropAll();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      dropAll();
      await closed;
      rmSync(dir, { recursive: true });
    },
  };
  return result;
}

export function reply(
  response: ServerResponse,
  code: number,
  body: object | string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, headers).end(typeof body === "string" ? body : JSON.stringify(body));
}

export const ok: Answer = (_request, response) => reply(response, 200, { ok: true });

/** A GET to try a transport with. */
export const get = (path = "/x", timeoutMs = 5_000) => ({ method: "GET" as const, path, timeoutMs });

/** Servers and transports that end with the test, and a list of what else has to. */
export function useLoopback() {
  const cleanups: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
  const serve = async (answer: Answer, host?: string): Promise<Loopback> => {
    const server = await loopback(answer, host);
    cleanups.push(() => server.close());
    return server;
  };
  const open = (config: Config, env: NodeJS.ProcessEnv = {}): Transport => {
    const transport = new Transport({ config, userAgent: "test/1 (linux)", env });
    cleanups.push(() => transport.close());
    return transport;
  };
  return { serve, open, cleanups };
}
