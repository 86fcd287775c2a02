import { Config, log } from "@pulumi/pulumi";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { parse } from "yaml";
import { silence } from "./silence";

/**
 * Whether the configured cluster answers. A preview without one works from the program alone, and the provider does not
 * say that it did: here it is said.
 */
export async function clusterAnswers(): Promise<boolean> {
  const problem = await unreachable().catch((error: Error) => error.message);
  if (problem) await log.warn(`no cluster was reached (${problem}): this preview knows nothing of what is there`);
  return !problem;
}

async function unreachable(): Promise<string | undefined> {
  const server = configuredServer();
  return server ? silence(server) : "no kubeconfig names one";
}

interface Kubeconfig {
  "current-context"?: string;
  contexts?: { name: string; context: { cluster: string } }[];
  clusters?: { name: string; cluster: { server: string } }[];
}

function configuredServer(): string | undefined {
  const kubernetes = new Config("kubernetes");
  const given = kubernetes.get("kubeconfig") ?? process.env.KUBECONFIG ?? join(homedir(), ".kube", "config");
  const texts = given.includes("\n") || given.trimStart().startsWith("{") ? [given] : given.split(delimiter).map(read);
  const files = texts.map((text) => (parse(text) ?? {}) as Kubeconfig);
  const wanted = kubernetes.get("context") ?? files.map((f) => f["current-context"]).find(Boolean);
  const context = files.flatMap((f) => f.contexts ?? []).find((c) => c.name === wanted)?.context;
  const name = kubernetes.get("cluster") ?? context?.cluster;
  return files.flatMap((f) => f.clusters ?? []).find((c) => c.name === name)?.cluster.server;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
