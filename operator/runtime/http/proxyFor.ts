import { BlockList, isIP } from "node:net";

/**
 * The proxy for a server: the one its configuration names, else what the environment says as Go reads it. NO_PROXY holds host names
 * (and their subdomains), `.domain`, `*.domain`, addresses, CIDRs, each with an optional port, or `*`. Loopback never goes through a proxy that
 * comes from the environment. Throws for a proxy that is not http or https.
 */
export function proxyFor(server: string, env: NodeJS.ProcessEnv, configured?: string): URL | undefined {
  const target = new URL(server);
  const fromEnv = target.protocol === "https:" ? pick(env, "HTTPS_PROXY") : pick(env, "HTTP_PROXY");
  const proxy = configured ?? (bypasses(target, pick(env, "NO_PROXY") ?? "") ? undefined : fromEnv);
  if (!proxy) return undefined;
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!URL.canParse(text)) throw new Error(`the proxy "${proxy}" is not a URL; give it as http://host:port`);
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`the proxy "${proxy}" is not supported: give an http:// or https:// one`);
  }
  return url;
}

/** Both spellings are in use; the upper one wins, as in Go. */
const pick = (env: NodeJS.ProcessEnv, name: string) => env[name] || env[name.toLowerCase()] || undefined;

function bypasses(target: URL, noProxy: string): boolean {
  const host = target.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = target.port || (target.protocol === "https:" ? "443" : "80");
  if (host === "localhost" || host.startsWith("127.") || host === "::1") return true;
  return noProxy.split(/[\s,]+/).some((entry) => entry !== "" && matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === "*") return true;
  if (entry.includes("/")) return inSubnet(host, entry);
  const { name, port: wanted } = splitPort(entry);
  if (wanted !== undefined && wanted !== port) return false;
  if (isIP(name) !== 0) return inSubnet(host, `${name}/${isIP(name) === 6 ? 128 : 32}`);
  const domain = name.replace(/^\*/, "");
  return domain.startsWith(".") ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

function splitPort(entry: string): { name: string; port?: string } {
  const bracketed = /^\[(.+)\](?::(\d+))?$/.exec(entry);
  if (bracketed?.[1]) return { name: bracketed[1], port: bracketed[2] };
  if (isIP(entry) === 6) return { name: entry };
  const [name = entry, port] = entry.split(":");
  return { name, port };
}

function inSubnet(host: string, cidr: string): boolean {
  const [net = "", bits = ""] = cidr.split("/");
  const family = isIP(net);
  const prefix = Number(bits);
  if (family === 0 || !Number.isInteger(prefix) || prefix < 0 || prefix > (family === 6 ? 128 : 32)) return false;
  const list = new BlockList();
  list.addSubnet(net, prefix, family === 6 ? "ipv6" : "ipv4");
  return isIP(host) === family && list.check(host, family === 6 ? "ipv6" : "ipv4");
}
