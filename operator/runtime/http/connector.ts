import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import { X509Certificate } from "node:crypto";
import { createSecureContext, checkServerIdentity as nodeCheck } from "node:tls";
import type { PeerCertificate } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { buildConnector } from "undici";
import type { Config, TlsMaterial } from "../config/config";

const connectTimeoutMs = 10_000;

/**
 * Opens connections for undici. CA and client certificate are looked up for each new connection, so a rotation needs no restart.
 */
export function connector(config: Config, proxy: URL | undefined, onConnect: () => void): buildConnector.connector {
  let built: { material: TlsMaterial; connect: buildConnector.connector } | undefined;
  const current = async () => {
    const material = await config.tls();
    if (!built || !isDeepStrictEqual(built.material, material)) built = { material, connect: build(material) };
    return built.connect;
  };
  return (options, callback) => {
    const open = async () => {
      const httpSocket = proxy && options.protocol === "https:" ? await tunnel(proxy, options) : undefined;
      const connect = await current();
      connect({ ...options, httpSocket }, (...opened) => {
        if (!opened[0]) onConnect();
        callback(...opened);
      });
    };
    open().catch((error: unknown) => callback(error as Error, null));
  };
}

function build({ ca, cert, key, servername, rejectUnauthorized }: TlsMaterial): buildConnector.connector {
  return buildConnector({
    // Parsed once, not for every connection.
    secureContext: createSecureContext({ ca, cert, key }),
    servername,
    rejectUnauthorized,
    allowH2: false,
    checkServerIdentity,
    timeout: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelay: 20_000,
  });
}

/** Node 22.23 takes an IPv6 address for a host name and refuses every certificate for it: check those by themselves. */
function checkServerIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  if (isIP(host) !== 6) return nodeCheck(host, certificate);
  if (new X509Certificate(certificate.raw).checkIP(host) !== undefined) return undefined;
  return new Error(`the server's certificate is not for ${host} but for ${certificate.subjectaltname ?? "no address"}`);
}

/** A CONNECT through the proxy; resolves to the raw socket that TLS then runs over. */
function tunnel(proxy: URL, target: buildConnector.Options): Promise<Socket> {
  const host = target.hostname.replace(/^\[|\]$/g, "");
  const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${target.port || "443"}`;
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  const headers: Record<string, string> = { host: authority };
  if (proxy.username) headers["proxy-authorization"] = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return new Promise((resolve, reject) => {
    const send = proxy.protocol === "https:" ? httpsRequest : httpRequest;
    const request = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: authority,
      headers,
      agent: false,
      timeout: connectTimeoutMs,
    });
    request.on("connect", (response, socket) => {
      if (response.statusCode === 200) return resolve(socket);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} refused to connect to ${authority}: HTTP ${response.statusCode}`));
    });
    request.on("timeout", () => request.destroy(new Error(`the proxy ${proxy.host} did not answer within 10 s`)));
    request.on("error", reject);
    request.end();
  });
}
