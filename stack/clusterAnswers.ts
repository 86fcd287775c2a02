import { Config } from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { warnUnreached } from "../components/unreached";
import { silence } from "./silence";
import type { Silence } from "./silence";

/**
 * Whether the configured server does not respond at all. Warns with the reason if a preview reaches no cluster. The components warn as
 * well, but later and without the reason.
 */
export async function clusterIsSilent(): Promise<boolean> {
  const silent = await configuredSilence();
  if (silent) await warnUnreached(silent.reason);
  return silent?.lasting ?? false;
}

interface Cluster {
  server: string;
  "proxy-url"?: string;
}

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string } }[];
  clusters?: { name: string; cluster: Cluster }[];
}

async function configuredSilence(): Promise<Silence | undefined> {
  const { HTTPS_PROXY, https_proxy, KUBERNETES_SERVICE_HOST } = process.env;
  const cluster = configuredCluster();
  // In a pod the provider finds the cluster itself, and only the provider can use a proxy.
  if (!cluster) return KUBERNETES_SERVICE_HOST ? undefined : { reason: "no kubeconfig names one", lasting: false };
  return cluster["proxy-url"] || HTTPS_PROXY || https_proxy ? undefined : silence(cluster.server);
}

function configuredCluster(): Cluster | undefined {
  const kubernetes = new Config("kubernetes");
  const given = kubernetes.get("kubeconfig") || process.env.KUBECONFIG || join(homedir(), ".kube", "config");
  const texts = given.includes("\n") || given.trimStart().startsWith("{") ? [given] : given.split(delimiter).map(read);
  const files = texts.map(parsed);
  const current = kubernetes.get("context") ?? files.map((f) => f["current-context"]).find(Boolean);
  const context = files.flatMap((f) => f.contexts ?? []).find((c) => c.name === current)?.context;
  const name = kubernetes.get("cluster") ?? context?.cluster;
  return files.flatMap((f) => f.clusters ?? []).find((c) => c.name === name)?.cluster;
}

/** The provider reports errors in a kubeconfig. */
function parsed(text: string): Kubeconfig {
  try {
    return (parse(text) ?? {}) as Kubeconfig;
  } catch {
    return {};
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
