/** A little operator, run as a process of its own: copies every config map labelled "source=yes" into one named NAME-copy. */
import { Manager, loadConfig } from "../../../operator/runtime";
import { configMap, configMaps } from "./harness";
import type { ConfigMap } from "./harness";

interface Options {
  namespace: string;
  identity: string;
  /** Lease, renew deadline and retry period, in milliseconds; none without election. */
  lease?: [number, number, number];
  /** A promise that nobody handles, so many milliseconds after the start. */
  rejectAfterMs?: number;
  gracePeriodMs?: number;
}

async function main(options: Options): Promise<void> {
  const { namespace, identity, lease, rejectAfterMs, gracePeriodMs = 10_000 } = options;
  const [leaseDurationMs, renewDeadlineMs, retryPeriodMs] = lease ?? [];
  const manager = new Manager({
    config: await loadConfig(),
    name: "copier",
    namespaces: [namespace],
    leaderElection: lease && { id: "copier", namespace, identity, leaseDurationMs, renewDeadlineMs, retryPeriodMs },
    gracePeriodMs,
  });
  const primary = manager.store<ConfigMap>(configMaps, { labelSelector: "source=yes" });
  manager.controller({
    name: "copier",
    primary,
    reconcile: async (key, { signal }) => {
      const source = primary.get(key);
      if (!source) return;
      const copy = configMap(namespace, `${key.name}-copy`, { by: identity, ...source.data });
      await manager.client.apply(configMaps, copy, { fieldManager: "copier", force: true, signal });
      manager.events.event(source, "Normal", "Copied", "Copy", `copied to ${key.name}-copy`);
    },
  });
  if (rejectAfterMs) setTimeout(() => void Promise.reject(new Error("nobody handles this")), rejectAfterMs);
  await manager.run();
}

main(JSON.parse(process.env.OPTIONS ?? "{}") as Options).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
