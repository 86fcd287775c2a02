/** Reads metrics as Prometheus does, over TLS that is not verified unless asked for. */
import http2 from "node:http2";
import { request } from "node:https";
import type { RequestOptions } from "node:https";
import type { TLSSocket } from "node:tls";

export interface Scraped {
  status: number;
  text: string;
  /** Common name of the certificate that the server showed. */
  servedBy: string;
}

export interface Scrape extends Pick<RequestOptions, "ca" | "agent"> {
  method?: string;
  path?: string;
  token?: string;
  /** Sent as it stands; wins over `token`. */
  authorization?: string;
}

const headersOf = ({ token, authorization = token && `Bearer ${token}` }: Scrape) =>
  authorization === undefined ? {} : { authorization };

export function scrape(port: number | undefined, options: Scrape = {}): Promise<Scraped> {
  const { method = "GET", path = "/metrics", ca, agent } = options;
  return new Promise((resolve, reject) => {
    const tls = { ca, rejectUnauthorized: ca !== undefined, servername: "localhost" };
    const target = {
      host: "127.0.0.1",
      port,
      method,
      path,
      agent: agent ?? false,
      headers: headersOf(options),
      ...tls,
    };
    const sent = request(target, (response) => {
      const certificate = (response.socket as TLSSocket).getPeerCertificate();
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, text, servedBy: String(certificate.subject.CN) }),
      );
    });
    sent.on("error", reject).end();
  });
}

/** The same over HTTP/2; rejects when the server does not speak it. */
export function scrapeHttp2(port: number | undefined, options: Scrape = {}): Promise<Omit<Scraped, "servedBy">> {
  return new Promise((resolve, reject) => {
    const session = http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.on("error", reject);
    const { method = "GET", path = "/metrics" } = options;
    const stream = session.request({ ":method": method, ":path": path, ...headersOf(options) });
    let status = 0;
    let text = "";
    stream.on("response", (headers) => (status = headers[":status"] ?? 0));
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    stream.on("error", reject).on("end", () => {
      session.close();
      resolve({ status, text });
    });
  });
}
