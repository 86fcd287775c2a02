import type { ControllerManager, ControllerWatch, Key, KubeObject } from "../runtime";
import { selectedBy } from "./budgets";
import { registerStores, concernedBy, memcachedOf } from "./stores";
import type { Environment } from "./children/child";
import { Reconciler, type ReconcilerOptions } from "./reconciler";
import { fingerprint } from "./sync/drift";
import type { ObservedBudget } from "./types";

/** Registers the Memcached controller with a manager. `environment` may need the API server; `clocks` are for tests. */
export function addMemcachedController(
  manager: ControllerManager,
  environment: () => Promise<Environment>,
  clocks: Pick<ReconcilerOptions, "clock" | "now"> = {},
): void {
  const stores = registerStores(manager);
  const { client, events } = manager;
  const reconciler = new Reconciler({ client, events, stores, environment, ...clocks });
  // Most Deployments, StatefulSets and Services of a cluster have no Memcached.
  const existing = (keys: Key[]) => keys.filter((key) => stores.memcacheds.get(key));
  const child = (object: KubeObject, old?: KubeObject) =>
    existing([object, ...(old ? [old] : [])].flatMap(concernedBy));
  // Its status changes with every pod, which is of no interest.
  const budget = (object: ObservedBudget, old?: ObservedBudget) =>
    old && fingerprint(old) === fingerprint(object)
      ? []
      : [...child(object, old), ...selectedBy([object, old], stores)];
  const labelled = (object: KubeObject) => existing(memcachedOf(object));
  manager.controller({
    name: "memcached",
    primary: stores.memcacheds,
    watches: [
      { store: stores.deployments, map: child },
      { store: stores.statefulSets, map: child },
      { store: stores.services, map: child },
      { store: stores.disruptionBudgets, map: budget } as ControllerWatch,
      { store: stores.networkPolicies, map: child },
      { store: stores.replicaSets, map: labelled },
      { store: stores.pods, map: labelled },
    ],
    reconcile: reconciler.reconcile,
  });
}
