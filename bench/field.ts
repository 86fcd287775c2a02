/** A namespace of Memcacheds: makes and resizes them, plays the Deployment controller, and knows which have settled. */
import { setTimeout as sleep } from "node:timers/promises";
import { type MemcachedStatus, writtenStatus } from "../api";
import { type ApiClient, HttpError, mergePatch } from "../cluster/apiClient";
import type { Child } from "../cluster/child";
import { readyStatus } from "./readyStatus";

/** As many users at a time as there are workers. */
const CREATORS = 16;

interface ApiObject<Spec, Status> {
  metadata: { name: string; generation: number; resourceVersion: string };
  spec: Spec;
  status?: Status;
}

type Memcached = ApiObject<{ size: number }, MemcachedStatus>;
type Deployment = ApiObject<{ replicas: number }, { observedGeneration?: number; readyReplicas?: number }>;

interface Seen {
  /** Available=True, and for its generation where the condition names one. */
  available: boolean;
  replicas?: number;
  /** When the contender first touched it, by `performance.now()`. */
  touchedAt?: number;
}

export class Field {
  private readonly seen = new Map<string, Seen>();
  private readonly ends: (() => void)[] = [];
  private failure: Error | undefined;

  private constructor(
    private readonly api: ApiClient,
    readonly namespace: string,
  ) {}

  static async open(api: ApiClient, namespace: string): Promise<Field> {
    await api.json("POST", "/api/v1/namespaces", { metadata: { name: namespace } });
    const field = new Field(api, namespace);
    const { memcacheds, deployments } = field;
    field.ends.push(
      api.watch<Memcached>(memcacheds, ({ object }) => field.sawMemcached(object)),
      api.watch<Deployment>(deployments, ({ type, object }) => {
        if (type !== "DELETED") field.sawDeployment(object);
      }),
    );
    return field;
  }

  /** Creates Memcacheds as fast as the server takes them. */
  async create(names: readonly string[], size: number): Promise<void> {
    await inParallel(names, (name) =>
      this.api.json("POST", this.memcacheds, {
        apiVersion: "cache.example.com/v1",
        kind: "Memcached",
        metadata: { name },
        spec: { size },
      }),
    );
  }

  async resize(names: readonly string[], size: number): Promise<void> {
    await inParallel(names, (name) =>
      this.api.json("PATCH", `${this.memcacheds}/${name}`, { spec: { size } }, mergePatch),
    );
  }

  /** Waits until each has a Deployment of its size and says that it is available. Rejects when the contender has ended. */
  async settle(what: string, names: readonly string[], size: number, contender: Child): Promise<void> {
    let open = names;
    const isOpen = (name: string) => {
      const { available, replicas } = this.seen.get(name) ?? {};
      return !available || replicas !== size;
    };
    await this.until(60_000 + 200 * names.length, contender, () => {
      open = open.filter(isOpen);
      return open.length === 0 || `${what}: ${open.length} of ${names.length} are missing`;
    });
  }

  /** Waits for the contender's first write to a resource or its Deployment, and gives its time by `performance.now()`. */
  async touched(name: string, contender: Child): Promise<number> {
    const at = () => this.seen.get(name)?.touchedAt;
    await this.until(60_000, contender, () => at() !== undefined || `nothing was written to ${name}`);
    return at() ?? NaN;
  }

  /** Waits until `done` is true, and fails at the limit with what it says in place of that. */
  private async until(limitMs: number, contender: Child, done: () => true | string): Promise<void> {
    const end = performance.now() + limitMs;
    for (let missing = done(); missing !== true; missing = done()) {
      if (this.failure) throw this.failure;
      contender.check();
      if (performance.now() > end) throw new Error(`${missing} after ${limitMs / 1000} s`);
      await sleep(5);
    }
  }

  /** Looks at it no more. */
  leave(): void {
    this.ends.forEach((end) => end());
  }

  /** Deletes what is in the namespace, which itself stays: nothing here would finish its deletion. */
  async close(): Promise<void> {
    this.leave();
    await this.api.json("DELETE", this.memcacheds);
    await this.api.json("DELETE", this.deployments);
    await this.api.json("DELETE", `/api/v1/namespaces/${this.namespace}/services`);
  }

  private get memcacheds(): string {
    return `/apis/cache.example.com/v1/namespaces/${this.namespace}/memcacheds`;
  }

  private get deployments(): string {
    return `/apis/apps/v1/namespaces/${this.namespace}/deployments`;
  }

  private of(name: string): Seen {
    let seen = this.seen.get(name);
    if (!seen) this.seen.set(name, (seen = { available: false }));
    return seen;
  }

  private sawMemcached({ metadata, status }: Memcached): void {
    const seen = this.of(metadata.name);
    const condition = status?.conditions?.find(({ type }) => type === "Available");
    // What readers see before anyone has looked is the CRD's default.
    if (writtenStatus(status)) seen.touchedAt ??= performance.now();
    const current = (condition?.observedGeneration ?? metadata.generation) === metadata.generation;
    seen.available = condition?.status === "True" && current;
  }

  private sawDeployment(deployment: Deployment): void {
    const { metadata, spec, status } = deployment;
    const seen = this.of(metadata.name);
    seen.touchedAt ??= performance.now();
    seen.replicas = spec.replicas;
    if (status?.observedGeneration === metadata.generation && status.readyReplicas === spec.replicas) return;
    this.reportReady(deployment).catch((error: unknown) => {
      if (!(error instanceof HttpError && error.code === 404)) this.failure ??= error as Error;
    });
  }

  private async reportReady(deployment: Deployment): Promise<void> {
    const path = `${this.deployments}/${deployment.metadata.name}/status`;
    await this.api.json("PATCH", path, { status: readyStatus(deployment) }, mergePatch);
  }
}

/** As many at a time as there are creators. */
export async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: CREATORS }, worker));
}
