import { clusterDomainForm, defaultClusterDomain, isClusterDomain } from "../api";
import { parseAddress } from "./runtime";

/** One flag: what it means and how its text becomes a value. */
interface Flag {
  help: string;
  /** Shown by --help; flags without one default to "not given". */
  fallback?: string | boolean;
  value: "text" | "switch";
  /** Another name of the same flag. */
  alias?: string;
  /** A sentence of what is wrong with the text, if anything. */
  check?: (text: string) => string | undefined;
}

const levels = ["debug", "info", "warn", "error"];
/** zap, whose flag of that name the guides use, also takes numbers, for more detail. */
const level = (text: string) => (/^[1-9]\d*$/.test(text) ? undefined : oneOf(levels)(text));

const address = (text: string): string | undefined => {
  try {
    parseAddress(text);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};
const integer = (from: number, to: number) => (text: string) =>
  /^\d+$/.test(text) && Number(text) >= from && Number(text) <= to
    ? undefined
    : `give a whole number from ${from} to ${to}`;
const oneOf = (values: string[]) => (text: string) =>
  values.includes(text) ? undefined : `give one of ${values.join(", ")}`;
const name = (text: string) =>
  /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text) ? undefined : "give a name of small letters, digits, - and .";
const domain = (text: string) => (isClusterDomain(text) ? undefined : `give ${clusterDomainForm}`);
const listed = (text: string) =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
const names = (text: string) =>
  listed(text)
    .map(name)
    .find((wrong) => wrong !== undefined);

/** All flags; names and defaults are those of the operator guides. */
const flags = {
  "metrics-bind-address": {
    help: "where metrics are served: :8443 for HTTPS, :8080 for HTTP, 0 for nowhere",
    fallback: "0",
    value: "text",
    check: address,
  },
  "metrics-secure": {
    help: "serve metrics over HTTPS, to whoever has the right to get /metrics",
    fallback: true,
    value: "switch",
  },
  "metrics-cert-path": {
    help: "folder of the metrics server's certificate, read anew when it changes; default: a self-signed one",
    value: "text",
  },
  "metrics-cert-name": { help: "file of the certificate in that folder", fallback: "tls.crt", value: "text" },
  "metrics-cert-key": { help: "file of its key in that folder", fallback: "tls.key", value: "text" },
  "health-probe-bind-address": {
    help: "where /healthz and /readyz are served",
    fallback: ":8081",
    value: "text",
    check: address,
  },
  "leader-elect": { help: "work only while holding the lease", fallback: false, value: "switch" },
  "leader-election-id": {
    help: "name of the lease",
    fallback: "memcached-operator.cache.example.com",
    value: "text",
    check: name,
  },
  "leader-election-namespace": {
    help: "namespace of the lease; default: the pod's own (POD_NAMESPACE)",
    value: "text",
    check: name,
  },
  "enable-http2": { help: "serve metrics over HTTP/2 as well, when they are secure", fallback: false, value: "switch" },
  kubeconfig: {
    help: "path of a kubeconfig; default: KUBECONFIG, the pod's service account, ~/.kube/config",
    value: "text",
  },
  "watch-namespaces": {
    help: "namespaces to watch, separated by commas; default: WATCH_NAMESPACE, else all",
    value: "text",
    check: names,
  },
  "cluster-domain": {
    help: `domain of the cluster's DNS, in which addresses end; default: CLUSTER_DOMAIN, else as the pod's resolv.conf has it, else ${defaultClusterDomain}`,
    value: "text",
    check: domain,
  },
  workers: { help: "resources worked on at a time", fallback: "16", value: "text", check: integer(1, 1000) },
  "log-level": {
    help: `what to log: ${levels.join(", ")}`,
    fallback: "info",
    value: "text",
    alias: "zap-log-level",
    check: level,
  },
  "log-format": {
    help: "how to log: json or console",
    fallback: "json",
    value: "text",
    alias: "zap-encoder",
    check: oneOf(["json", "console"]),
  },
} as const satisfies Record<string, Flag>;

type Name = keyof typeof flags;

/** What the command line says, defaults filled in. */
export type Flags = { [N in Name]: (typeof flags)[N] extends { value: "switch" } ? boolean : Text<N> };
type Text<N extends Name> = (typeof flags)[N] extends { fallback: string } ? string : string | undefined;

/** What the command line asks for. */
export type Command = { run: Flags } | { print: "help" | "version" };

/** A command line that cannot be followed, in one line that says why. */
export class UsageError extends Error {}

/** Reads the arguments. Throws a `UsageError` for an unknown flag, a bad value or a stray word. */
export function parseFlags(args: string[]): Command {
  const given = new Map<string, string | boolean>();
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const [, text, value] = /^--?([a-z][-a-z0-9]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (text === "help" || text === "h") return { print: "help" };
    if (text === "version") return { print: "version" };
    const [flagName, flag] = find(text, word);
    given.set(
      flagName,
      flag.value === "switch" ? readSwitch(word, value) : readText(word, flag, value ?? rest.shift()),
    );
  }
  const values = Object.entries<Flag>(flags).map(([flagName, { fallback }]) => [
    flagName,
    given.get(flagName) ?? fallback,
  ]);
  const run = Object.fromEntries(values) as Flags;
  return { run: { ...run, "log-level": /^\d+$/.test(run["log-level"]) ? "debug" : run["log-level"] } };
}

function find(text: string | undefined, word: string): [string, Flag] {
  const found = Object.entries<Flag>(flags).find(([flagName, { alias }]) => text === flagName || text === alias);
  if (found && text !== undefined) return found;
  const what = word.startsWith("-") ? "unknown flag" : "unexpected argument";
  throw new UsageError(`${what} ${word.split("=")[0]}: --help lists the flags`);
}

function readSwitch(word: string, value = "true"): boolean {
  if (["true", "t", "1"].includes(value.toLowerCase())) return true;
  if (["false", "f", "0"].includes(value.toLowerCase())) return false;
  throw new UsageError(`${word}: give true or false`);
}

function readText(word: string, flag: Flag, value: string | undefined): string {
  const flagName = word.split("=")[0];
  if (value === undefined) throw new UsageError(`${flagName} needs a value`);
  const wrong = flag.check?.(value);
  if (wrong) throw new UsageError(`${flagName}=${value}: ${wrong}`);
  return value;
}

/** The namespaces in a list separated by commas; none is all. Throws a `UsageError` for what is no name. */
export function checkNamespaces(text: string): string[] {
  const wrong = names(text);
  if (wrong) throw new UsageError(`namespaces to watch "${text}": ${wrong}`);
  return [...new Set(listed(text))];
}

/** The cluster's domain as the environment gives it. Throws a `UsageError` for what can be none. */
export function checkClusterDomain(text: string): string {
  const wrong = domain(text);
  if (wrong) throw new UsageError(`CLUSTER_DOMAIN=${text}: ${wrong}`);
  return text;
}

/** The text of --help. */
export function helpText(): string {
  const lines = Object.entries<Flag>(flags).map(([flagName, { help, fallback, alias }]) => {
    const also = alias ? ` (also --${alias})` : "";
    const standard = fallback === undefined ? "" : ` [${fallback}]`;
    return `  --${flagName}${also}\n        ${help}${standard}`;
  });
  const environment = [
    "Environment:",
    "  MEMCACHED_IMAGE   image of the servers of resources that name none",
    "  WATCH_NAMESPACE   namespaces to watch, separated by commas; --watch-namespaces wins",
    "  CLUSTER_DOMAIN    domain of the cluster's DNS; --cluster-domain wins",
    "  POD_NAMESPACE     the pod's own namespace, where the lease is kept",
    "  HTTP_PROXY, HTTPS_PROXY, NO_PROXY (either case) are handed on to the servers",
  ];
  return ["Runs the Memcached operator.", "", "Flags [default]:", ...lines, "", ...environment, ""].join("\n");
}
