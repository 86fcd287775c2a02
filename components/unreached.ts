/** Warns if a preview reached no cluster. The Kubernetes provider itself does not. */
import { version } from "@pulumi/kubernetes/package.json";
import { log, runtime } from "@pulumi/pulumi";
import type { ComponentResource } from "@pulumi/pulumi";

/**
 * A cluster-scoped kind that every API server has but the provider has no built-in knowledge of. The provider asks the server, and
 * treats the kind as namespaced if there is no answer.
 */
const UNFAMILIAR = JSON.stringify({ apiVersion: "v1", kind: "NodeProxyOptions" });

const REASON = "there is no kubeconfig, no answer, or a certificate or credentials that are refused";

/** A plugin for other languages has no stack; its process serves one program. */
const pluginsProgram = {};

/** Providers that were asked, and programs that got the warning. */
const asked = new WeakSet<object>();
const warned = new WeakSet<object>();

/**
 * In a preview, asks the provider of this component's children whether it reached its cluster, and warns if it did not. Takes a few
 * milliseconds for each provider, and nothing waits for it.
 */
export function warnIfUnreached(component: ComponentResource): void {
  // Without an engine the program runs on mocks.
  if (!runtime.isDryRun() || !runtime.getEngine()) return;
  const provider = component.getProvider("kubernetes:yaml:decode") ?? program();
  if (asked.has(provider)) return;
  asked.add(provider);
  void runtime
    .invoke("kubernetes:yaml:decode", { text: UNFAMILIAR, defaultNamespace: "any" }, { parent: component, version })
    // A provider whose cluster does not exist yet is not configured, and gives no result.
    .then((answer?: { result?: { metadata?: object }[] }) => answer?.result?.[0]?.metadata && warnUnreached(REASON))
    // If the provider cannot start, its resources fail as well.
    .catch(() => undefined);
}

/** Warns, once for each program, that the preview reached no cluster. */
export async function warnUnreached(reason: string): Promise<void> {
  if (warned.has(program())) return;
  warned.add(program());
  await log.warn(`no cluster was reached (${reason}): this preview does not know what already exists`);
}

const program = (): object => runtime.getStackResource() ?? pluginsProgram;
