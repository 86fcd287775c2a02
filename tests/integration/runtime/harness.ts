/** A manager with one controller, run in this process against a control plane, and stopped with the test. */
import type {
  ControllerWatch,
  KubeObject,
  ManagerOptions,
  Reconcile,
  ResourceType,
  Store,
} from "../../../operator/runtime";
import { Manager, createLogger } from "../../../operator/runtime";
import type { FaultProxy } from "./faultProxy";

export const configMaps: ResourceType = {
  group: "",
  version: "v1",
  plural: "configmaps",
  kind: "ConfigMap",
  namespaced: true,
};
export const secrets: ResourceType = { group: "", version: "v1", plural: "secrets", kind: "Secret", namespaced: true };

export interface ConfigMap extends KubeObject {
  data?: Record<string, string>;
}

export interface Line {
  level: string;
  msg: string;
  [field: string]: unknown;
}

export interface Running {
  manager: Manager;
  primary: Store<ConfigMap>;
  lines: Line[];
  /** Aborts, and waits until `run` has ended. */
  stop(): Promise<void>;
  /** Set when `run` has ended: "drained" or the error's text. */
  outcome?: string;
}

export interface ManagerSetup extends Partial<ManagerOptions> {
  /** The kind that passes are made over. Default: config maps. */
  primaryType?: ResourceType;
  /** What else the controller watches, with stores of the manager. */
  watches?: (manager: Manager) => ControllerWatch[];
}

const running: Running[] = [];

/** Stops every manager that a test has started; call it in afterEach. */
export async function stopManagers(): Promise<void> {
  await Promise.all(running.splice(0).map((each) => each.stop()));
}

/** Watches the config maps of one namespace and passes over them with `reconcile`. See lab.ts for what tests need besides. */
export function startManager(
  config: ManagerOptions["config"] | FaultProxy["config"],
  namespace: string,
  reconcile: Reconcile,
  options: ManagerSetup = {},
): Running {
  const lines: Line[] = [];
  const log = createLogger({ level: "debug", write: (line) => lines.push(JSON.parse(line) as Line) });
  const { watches, primaryType = configMaps, ...rest } = options;
  const manager = new Manager({
    config,
    name: "runtime-test",
    namespaces: [namespace],
    log,
    gracePeriodMs: 5_000,
    ...rest,
  });
  const primary = manager.store<ConfigMap>(primaryType);
  manager.controller({ name: "test", primary, watches: watches?.(manager), reconcile });
  const stopping = new AbortController();
  const ended = manager.run(stopping.signal).then(
    () => (result.outcome = "drained"),
    (error: unknown) => (result.outcome = String(error)),
  );
  const result: Running = {
    manager,
    primary,
    lines,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
  running.push(result);
  return result;
}

export function configMap(namespace: string, name: string, data: Record<string, string> = {}): ConfigMap {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data };
}
