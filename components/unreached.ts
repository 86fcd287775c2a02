/** The Kubernetes provider says nothing in a preview that no cluster took part in; here it is said. */
import { version } from "@pulumi/kubernetes/package.json";
import { log, runtime } from "@pulumi/pulumi";
import type { ComponentResource } from "@pulumi/pulumi";

/**
 * A kind outside of namespaces that every API server has and the provider does not know by heart: it asks the server, and
 * takes the kind for a namespaced one when there is no answer.
 */
const UNFAMILIAR = JSON.stringify({ apiVersion: "v1", kind: "NodeProxyOptions" });

const REASON = "there is no kubeconfig, no answer, or a certificate or credentials that are refused";

/** In a plugin for other languages there is no stack at hand; its process serves one program. */
const pluginsProgram = {};

/** Providers that were asked, and programs that were warned. */
const asked = new WeakSet<object>();
const warned = new WeakSet<object>();

/**
 * Asks, in a preview, the provider that this component's children use whether it reached its cluster, and warns when it did not. The
 * provider knows already: that takes a few milliseconds, once a provider, and nothing waits for it.
 */
export function warnIfUnreached(component: ComponentResource): void {
  // Without an engine the program runs on mocks.
  if (!runtime.isDryRun() || !runtime.getEngine()) return;
  const provider = component.getProvider("kubernetes:yaml:decode") ?? program();
  if (asked.has(provider)) return;
  asked.add(provider);
  void runtime
    .invoke("kubernetes:yaml:decode", { text: UNFAMILIAR, defaultNamespace: "any" }, { parent: component, version })
    // A provider that is not configured yet, for its cluster is still to be made, gives no result.
    .then((answer?: { result?: { metadata?: object }[] }) => answer?.result?.[0]?.metadata && warnUnreached(REASON))
    // It cannot be started or set up: that fails the resources, too.
    .catch(() => undefined);
}

/** Warns, once a program, that no cluster takes part in this preview. */
export async function warnUnreached(reason: string): Promise<void> {
  if (warned.has(program())) return;
  warned.add(program());
  await log.warn(`no cluster was reached (${reason}): this preview knows nothing of what is there`);
}

const program = (): object => runtime.getStackResource() ?? pluginsProgram;
