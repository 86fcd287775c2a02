import { HttpClient, Transport, loadConfig } from "../../../operator/runtime";
import type { Config, Key, Reconcile } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { FaultProxy } from "./faultProxy";
import { configMap, configMaps, startManager, stopManagers } from "./harness";
import type { ConfigMap, ManagerSetup, Running } from "./harness";

/** For each test a namespace, a proxy that does harm, an administrator who passes it by, and managers that end with the test. */
export class Lab {
  cp!: ControlPlane;
  /** Reaches the API server directly, as an administrator. */
  config!: Config;
  admin!: HttpClient;
  namespace!: string;
  proxy!: FaultProxy;
  private transport: Transport | undefined;
  private namespaces: string[] = [];
  private proxies: FaultProxy[] = [];

  async open(cp: Promise<ControlPlane>): Promise<void> {
    this.cp = await cp;
    this.config = await loadConfig({ kubeconfig: this.cp.kubeconfig });
    this.transport = new Transport({ config: this.config, userAgent: "test" });
    this.admin = new HttpClient(this.transport);
  }

  async begin(): Promise<void> {
    this.namespace = await this.newNamespace();
    this.proxy = await this.newProxy();
  }

  async end(): Promise<void> {
    await stopManagers();
    await Promise.all(this.proxies.splice(0).map((proxy) => proxy.stop()));
    await Promise.all(this.namespaces.splice(0).map((name) => deleteNamespace(this.cp, name)));
  }

  close(): Promise<void> | undefined {
    return this.transport?.close();
  }

  async newNamespace(): Promise<string> {
    const name = await newNamespace(this.cp);
    this.namespaces.push(name);
    return name;
  }

  async newProxy(): Promise<FaultProxy> {
    const proxy = await FaultProxy.start(this.cp);
    this.proxies.push(proxy);
    return proxy;
  }

  /** A manager that reaches the API server through the proxy. */
  start(reconcile: Reconcile, options?: ManagerSetup): Running {
    return startManager(this.proxy.config, this.namespace, reconcile, options);
  }

  key(name: string): Key {
    return { namespace: this.namespace, name };
  }

  /** Path of a kind of the core group in the namespace, or of one object. */
  path(plural: string, name?: string): string {
    return `/api/v1/namespaces/${this.namespace}/${plural}${name === undefined ? "" : `/${name}`}`;
  }

  /** Creates config maps, 20 at a time. */
  async create(...names: string[]): Promise<void> {
    for (let i = 0; i < names.length; i += 20) {
      const batch = names.slice(i, i + 20);
      await Promise.all(batch.map((name) => this.admin.create(configMaps, configMap(this.namespace, name))));
    }
  }

  /** A user's edit. */
  edit(name: string, data: Record<string, string | null>): Promise<ConfigMap> {
    return this.admin.patch<ConfigMap>(configMaps, this.key(name), { data });
  }
}

/** A lab for the tests of the describe it is called in. `cp`: a control plane of their own, which they must stop. */
export function useLab(cp: () => Promise<ControlPlane> = controlPlane): Lab {
  const lab = new Lab();
  before(async function () {
    this.timeout(90_000);
    await lab.open(cp());
  });
  after(() => lab.close());
  beforeEach(() => lab.begin());
  afterEach(() => lab.end());
  return lab;
}

/** "name-0" to "name-(count - 1)". */
export const names = (count: number, name = "source"): string[] =>
  Array.from({ length: count }, (_, i) => `${name}-${i}`);

/** A pass that only takes down for whom it was. */
export const follow =
  (passes: string[]): Reconcile =>
  (key) =>
    Promise.resolve(void passes.push(key.name));
