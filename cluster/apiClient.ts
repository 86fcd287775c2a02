/** The few requests that a cluster makes to its own API server: is it ready, apply this, read that. */
import { readFileSync } from "node:fs";
import https from "node:https";
import { join } from "node:path";

/** Milliseconds until a request fails. */
const TIMEOUT_MS = 20_000;

export interface ApiResponse {
  code: number;
  text: string;
}

export interface ApiClient {
  /** Sends a request and gives code and body, whatever the code. Rejects when no answer comes. */
  request(method: string, path: string, body?: unknown, contentType?: string): Promise<ApiResponse>;
  /** Sends a request and gives the parsed answer; rejects with the server's words from 400 up. */
  json<T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T>;
  /** Server-side apply of an object at its path. */
  apply(path: string, object: object): Promise<void>;
}

/** A client with the certificate `user` of a PKI folder. */
export function apiClient(server: string, pki: string, user = "admin"): ApiClient {
  const url = new URL(server);
  const read = (name: string) => readFileSync(join(pki, name));
  const agent = new https.Agent({
    keepAlive: true,
    ca: read("ca.crt"),
    cert: read(`${user}.crt`),
    key: read(`${user}.key`),
  });
  const client: ApiClient = {
    request: (method, path, body, contentType = "application/json") =>
      new Promise((resolve, reject) => {
        const data = body === undefined ? undefined : JSON.stringify(body);
        // Node adds the length by itself, but not to a DELETE.
        const headers = data && { "content-type": contentType, "content-length": Buffer.byteLength(data) };
        const target = {
          host: url.hostname,
          port: url.port,
          method,
          path,
          agent,
          headers: headers || {},
          timeout: TIMEOUT_MS,
        };
        const request = https.request(target, (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("end", () => resolve({ code: response.statusCode ?? 0, text })).on("error", reject);
        });
        request.on("timeout", () => request.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)));
        request.on("error", reject);
        request.end(data);
      }),
    async json<T>(method: string, path: string, body?: unknown, contentType?: string) {
      const { code, text } = await client.request(method, path, body, contentType);
      if (code >= 400) throw new Error(`${method} ${path}: ${code} ${messageOf(text)}`);
      return JSON.parse(text) as T;
    },
    async apply(path, object) {
      const query = "?fieldManager=memcached-cluster&force=true";
      await client.json("PATCH", `${path}${query}`, object, "application/apply-patch+yaml");
    },
  };
  return client;
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
