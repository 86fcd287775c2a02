import { readFileSync } from "node:fs";
import { type Memcached, type MemcachedSpec, type MemcachedStatus, plural } from "../../../api";
import type { Environment } from "../../../operator/memcached/children/child";
import { addMemcachedController } from "../../../operator/memcached/setup";
import type { ObservedWorkload, ObservedPod } from "../../../operator/memcached/types";
import { type KubeObject, Manager, createLogger, loadConfig } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { until } from "../../support/until";
import { type Answer, type Server, mergePatch, serverWithCrd } from "../api/server";

/** One request of the operator, as the API server's audit log tells it. */
export interface Request {
  verb: string;
  resource: string;
  subresource?: string;
  name?: string;
  code: number;
}

export interface Condition {
  type: string;
  status: string;
  reason: string;
  message: string;
  lastTransitionTime: string;
  observedGeneration?: number;
}

export const environment: Environment = {
  image: "example.com/memcached:1",
  proxy: [],
  fixedUser: true,
  clusterDomain: "cluster.local",
};

/** A namespace with the operator at work in it, and what a user does there. */
export class Lab {
  readonly log: Record<string, unknown>[] = [];
  private running: { stop: AbortController; done: Promise<void> } | undefined;

  private constructor(readonly server: Server) {}

  static async open(own?: ControlPlane): Promise<Lab> {
    const lab = new Lab(await serverWithCrd(own));
    await lab.start();
    return lab;
  }

  get namespace(): string {
    return this.server.namespace;
  }

  /** `laterMs`: how far the operator's clock goes ahead of the cluster's. */
  async start(changes: Partial<Environment> = {}, laterMs = 0): Promise<void> {
    const stop = new AbortController();
    const write = (line: string) => void this.log.push(JSON.parse(line) as Record<string, unknown>);
    const manager = new Manager({
      config: await loadConfig({ kubeconfig: this.server.kubeconfig }),
      name: "memcached-operator",
      version: "test",
      namespaces: [this.namespace],
      log: createLogger({ level: "debug", write }),
    });
    const now = () => new Date(Date.now() + laterMs);
    addMemcachedController(manager, () => Promise.resolve({ ...environment, ...changes }), { now });
    this.running = { stop, done: manager.run(stop.signal) };
  }

  async stop(): Promise<void> {
    this.running?.stop.abort();
    await this.running?.done;
    this.running = undefined;
  }

  core(resource: string, name = ""): string {
    return `/api/v1/namespaces/${this.namespace}/${resource}${name && `/${name}`}`;
  }

  apps(resource: string, name = ""): string {
    return `/apis/apps/v1/namespaces/${this.namespace}/${resource}${name && `/${name}`}`;
  }

  async create(name: string, spec: MemcachedSpec): Promise<KubeObject> {
    return this.ok("POST", this.server.at("v1"), {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { name },
      spec,
    });
  }

  patch(path: string, body: object): Promise<KubeObject> {
    return this.ok("PATCH", path, body, mergePatch);
  }

  async delete(path: string, propagationPolicy = "Background"): Promise<void> {
    await this.ok("DELETE", `${path}?propagationPolicy=${propagationPolicy}`);
  }

  async get<T extends KubeObject = KubeObject>(path: string): Promise<T | undefined> {
    const { code, text } = await this.server.client.request("GET", path);
    return code === 404 ? undefined : (JSON.parse(text) as T);
  }

  /** Waits until the object at the path is as wanted. */
  awaits<T extends KubeObject = ObservedWorkload>(
    what: string,
    path: string,
    wanted: (object: T) => unknown,
  ): Promise<T> {
    return until(what, 15_000, async () => {
      const object = await this.get<T>(path);
      return object && wanted(object) ? object : undefined;
    });
  }

  async status(name: string): Promise<MemcachedStatus> {
    return (await this.get<Memcached>(this.server.at("v1", name)))?.status ?? {};
  }

  /** Waits until a condition of the Memcached's present generation is as wanted. */
  async awaitCondition(name: string, type: string, status: string, reason?: string): Promise<Condition> {
    const what = `Memcached ${name} to be ${type}=${status}${reason ? ` (${reason})` : ""}`;
    let last: MemcachedStatus = {};
    return until(what, 15_000, async () => {
      const memcached = await this.get<Memcached>(this.server.at("v1", name));
      last = memcached?.status ?? {};
      const found = last.conditions?.find((condition) => condition.type === type);
      if (!found || found.observedGeneration !== memcached?.metadata.generation) return undefined;
      return found.status === status && (reason === undefined || found.reason === reason) ? found : undefined;
    }).catch((error: Error) => {
      throw new Error(`${error.message}; the status is ${JSON.stringify(last)}`);
    });
  }

  async pods(name: string): Promise<ObservedPod[]> {
    const selector = encodeURIComponent(`app.kubernetes.io/instance=${name}`);
    const list = await this.server.client.json<{ items: ObservedPod[] }>(
      "GET",
      `${this.core("pods")}?labelSelector=${selector}`,
    );
    return list.items.filter((pod) => !pod.metadata.deletionTimestamp);
  }

  /** Plays the load balancer of a cloud. */
  async giveAddress(name: string): Promise<void> {
    const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
    await this.patch(`${this.core("services", name)}/status`, { status });
  }

  /** Plays the kubelet: what it would say of one pod's container. */
  async setContainer(pod: string, container: object, ready: boolean): Promise<void> {
    await this.patch(`${this.core("pods", pod)}/status`, {
      status: {
        phase: ready ? "Running" : "Pending",
        conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime: new Date().toISOString() }],
        containerStatuses: [
          { name: "memcached", image: "i", imageID: "", ready, restartCount: 0, started: ready, ...container },
        ],
      },
    });
  }

  /** Makes the pods that are there ready; gives how many there are. */
  async readyPods(name: string): Promise<number> {
    const pods = await this.pods(name);
    const running = { state: { running: { startedAt: new Date().toISOString() } } };
    for (const pod of pods)
      if (!pod.status?.containerStatuses?.[0]?.ready) await this.setContainer(pod.metadata.name, running, true);
    return pods.length;
  }

  /** Makes pods ready as they come until there are `count` of them that are. */
  async makeReady(name: string, count: number): Promise<void> {
    await until(
      `${count} pods of ${name} to be there and ready`,
      15_000,
      async () => (await this.readyPods(name)) === count,
    );
  }

  /**
   * Makes pods ready as they come until the Memcached is Ready, over a rollout too, whose surge comes late; with `count`, and
   * there are so many of them, which a Ready of before a change does not outrun.
   */
  async becomesReady(name: string, count?: number): Promise<void> {
    let last: MemcachedStatus = {};
    await until(`Memcached ${name} to be Ready while its pods are made so`, 15_000, async () => {
      const pods = await this.readyPods(name);
      last = await this.status(name);
      if (count !== undefined && pods !== count) return false;
      return last.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    }).catch((error: Error) => {
      throw new Error(`${error.message}; the status is ${JSON.stringify(last)}`);
    });
  }

  /** What the operator has asked of the API server in this namespace: all but watches and lists. */
  requests(): Request[] {
    return readFileSync(this.server.auditLog ?? "", "utf8")
      .split("\n")
      .filter((line) => line.includes('"memcached-operator/') && line.includes(this.namespace))
      .map((line) => JSON.parse(line) as AuditEvent)
      .filter(({ verb, objectRef }) => objectRef?.namespace === this.namespace && !["watch", "list"].includes(verb))
      .map(({ verb, objectRef, responseStatus }) => ({
        verb,
        resource: objectRef?.resource ?? "",
        ...(objectRef?.subresource ? { subresource: objectRef.subresource } : {}),
        name: objectRef?.name,
        code: responseStatus?.code ?? 0,
      }));
  }

  private async ok(method: string, path: string, body?: object, contentType?: string): Promise<KubeObject> {
    const answer: Answer = await this.server.ask(method, path, body, contentType);
    if (answer.code >= 400) throw new Error(`${method} ${path}: ${answer.code} ${answer.body.message}`);
    return answer.body as unknown as KubeObject;
  }
}

interface AuditEvent {
  verb: string;
  objectRef?: { namespace?: string; resource?: string; subresource?: string; name?: string };
  responseStatus?: { code?: number };
}

/** Short form of requests, for assertions: "patch deployments/cache". */
export function brief(requests: Request[]): string[] {
  return requests.map(
    ({ verb, resource, subresource, name }) => `${verb} ${resource}/${name}${subresource ? `/${subresource}` : ""}`,
  );
}

export const statusPath = (lab: Lab, name: string): string => `${lab.server.at("v1", name)}/status`;
export const resource = plural;
