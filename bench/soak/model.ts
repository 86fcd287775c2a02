/** What should be there: every resource with the spec its user gave it last, and how often someone gave cause to write. */
import { defaultMemcachedImage } from "../../api";
import type { Tally } from "../auditTail";
import type { Random } from "../random";

export interface Spec {
  size: number;
  port: number;
  memory: string;
  image: string;
}

export class Cache {
  /** Undefined while it is deleted. */
  spec: Spec | undefined;
  /** In the hands of an edit that takes several steps. */
  busy = false;
  /** Changes to it or its children, each of which may make the operator write. */
  causes = 0;
  /** An annotation that someone left on the Deployment of that UID, and which must stay. */
  mark: { uid: string; value: string } | undefined;

  constructor(
    readonly namespace: string,
    readonly name: string,
  ) {}

  get id(): string {
    return `${this.namespace}/${this.name}`;
  }

  get memcached(): string {
    return `${memcachedsOf(this.namespace)}/${this.name}`;
  }

  get deployment(): string {
    return `${deploymentsOf(this.namespace)}/${this.name}`;
  }

  get service(): string {
    return `${servicesOf(this.namespace)}/${this.name}`;
  }
}

export const memcachedsOf = (namespace: string): string =>
  `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`;
export const deploymentsOf = (namespace: string): string => `/apis/apps/v1/namespaces/${namespace}/deployments`;
export const servicesOf = (namespace: string): string => `/api/v1/namespaces/${namespace}/services`;

/** The namespace that is deleted and made again; it has a tenth of the resources. */
export const FLEETING = "soak-fleeting";
const LASTING = ["soak-1", "soak-2", "soak-3"];
export const namespaces: readonly string[] = [...LASTING, FLEETING];

export class Model {
  readonly caches: readonly Cache[];
  /** How often each kind of edit was made. */
  readonly edits: Tally = {};
  /** What went wrong so far, in sentences. */
  readonly wrong: string[] = [];

  constructor(count: number) {
    this.caches = Array.from({ length: count }, (_, i) => {
      const namespace = i % 10 === 9 ? FLEETING : (LASTING[i % LASTING.length] as string);
      return new Cache(namespace, `cache-${i}`);
    });
  }

  /** Notes an edit, once the API server has taken it. */
  note(kind: string, cache: Cache): void {
    this.edits[kind] = (this.edits[kind] ?? 0) + 1;
    cache.causes++;
  }

  get causes(): number {
    return this.caches.reduce((sum, { causes }) => sum + causes, 0);
  }
}

const IMAGES = [
  defaultMemcachedImage,
  "registry.example.com/memcached:1.6.40",
  "registry.example.com/memcached:1.6.41",
];

export const randomPort = (random: Random): number => random.between(11211, 11220);
export const randomMemory = (random: Random): string => random.pick(["64Mi", "96Mi", "128Mi", "1Gi", "2048Mi"]);
export const randomImage = (random: Random): string => random.pick(IMAGES);

export const randomSpec = (random: Random): Spec => ({
  ...{ size: random.between(0, 5), port: randomPort(random) },
  ...{ memory: randomMemory(random), image: randomImage(random) },
});
