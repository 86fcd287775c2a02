import { clusterDomainForm, defaultClusterDomain, isClusterDomain } from "../api";
import { parseAddress } from "./runtime";

/** One flag. */
interface Flag {
  help: string;
  /** The default, which --help shows. */
  fallback?: string | boolean;
  value: "text" | "switch";
  /** Another name of the flag. */
  alias?: string;
  /** Returns what to give instead, if the text is invalid. */
  check?: (text: string) => string | undefined;
}

const levels = ["debug", "info", "warn", "error"];
/** The guides' flag --zap-log-level also accepts numbers, for more detail. */
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
  /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(text) ? undefined : "give a name of lower-case letters, digits, '-' and '.'";
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
    help: "address of the metrics: :8443 for HTTPS, :8080 for HTTP, 0 for none",
    fallback: "0",
    value: "text",
    check: address,
  },
  "metrics-secure": {
    help: "serve metrics over HTTPS, to clients with permission to get /metrics",
    fallback: true,
    value: "switch",
  },
  "metrics-cert-path": {
    help: "folder of the metrics server's certificate, which is reloaded when it changes; default: a self-signed certificate",
    value: "text",
  },
  "metrics-cert-name": { help: "file name of the certificate in that folder", fallback: "tls.crt", value: "text" },
  "metrics-cert-key": { help: "file name of the key in that folder", fallback: "tls.key", value: "text" },
  "health-probe-bind-address": {
    help: "address of /healthz and /readyz",
    fallback: ":8081",
    value: "text",
    check: address,
  },
  "leader-elect": { help: "elect a leader, so that only one operator is active", fallback: false, value: "switch" },
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
  "enable-http2": { help: "also serve secure metrics over HTTP/2", fallback: false, value: "switch" },
  kubeconfig: {
    help: "path of a kubeconfig; default: KUBECONFIG, the pod's service account, ~/.kube/config",
    value: "text",
  },
  "watch-namespaces": {
    help: "namespaces to watch, separated by commas; default: WATCH_NAMESPACE, otherwise all",
    value: "text",
    check: names,
  },
  "cluster-domain": {
    help: `domain of the cluster's DNS, for the addresses of servers; default: CLUSTER_DOMAIN, otherwise from the pod's resolv.conf, otherwise ${defaultClusterDomain}`,
    value: "text",
    check: domain,
  },
  workers: {
    help: "number of Memcacheds that are reconciled at the same time",
    fallback: "16",
    value: "text",
    check: integer(1, 1000),
  },
  "log-level": {
    help: `log level: ${levels.join(", ")}`,
    fallback: "info",
    value: "text",
    alias: "zap-log-level",
    check: level,
  },
  "log-format": {
    help: "log format: json or console",
    fallback: "json",
    value: "text",
    alias: "zap-encoder",
    check: oneOf(["json", "console"]),
  },
} as const satisfies Record<string, Flag>;

type Name = keyof typeof flags;

/** The values of all flags, with defaults. */
export type Flags = { [N in Name]: (typeof flags)[N] extends { value: "switch" } ? boolean : Text<N> };
type Text<N extends Name> = (typeof flags)[N] extends { fallback: string } ? string : string | undefined;

/** The parsed command line. */
export type Command = { run: Flags } | { print: "help" | "version" };

/** An invalid command line. The message has one line. */
export class UsageError extends Error {}

/** Reads the arguments. Throws a `UsageError` for an unknown flag, an invalid value or an unexpected argument. */
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

/** The namespaces in a list separated by commas; an empty list means all. Throws a `UsageError` for an invalid name. */
export function checkNamespaces(text: string): string[] {
  const wrong = names(text);
  if (wrong) throw new UsageError(`namespaces to watch "${text}": ${wrong}`);
  return [...new Set(listed(text))];
}

/** The cluster's domain from the environment. Throws a `UsageError` if it is invalid. */
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
    "  MEMCACHED_IMAGE   image of the servers, for resources without spec.image",
    "  WATCH_NAMESPACE   namespaces to watch, separated by commas; --watch-namespaces wins",
    "  CLUSTER_DOMAIN    domain of the cluster's DNS; --cluster-domain wins",
    "  POD_NAMESPACE     the pod's own namespace, for the lease",
    "  HTTP_PROXY, HTTPS_PROXY, NO_PROXY (upper or lower case) are passed on to the servers",
  ];
  return ["Runs the Memcached operator.", "", "Flags [default]:", ...lines, "", ...environment, ""].join("\n");
}
