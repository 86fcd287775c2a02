import type { StatusDetails } from "../errors";
import { stripManagedFields } from "../object";
import type {
  ApplyOptions,
  CallOptions,
  CreateOptions,
  DeleteOptions,
  Key,
  KubeObject,
  ListOptions,
  ObjectList,
  ResourceType,
  Wrote,
} from "../types";
import { type ManagedFieldsEntry, ownedByApply } from "./fieldOwnership";
import { list } from "./list";
import { objectPath, query, resourcePath } from "./paths";
import type { Call, OwnPool, Reader } from "./transport";

const defaultTimeoutMs = 30_000;
const mergePatch = "application/merge-patch+json";

/** Told about every answer to a write, before the caller is. */
export interface WriteObserver {
  wrote(type: ResourceType, object: KubeObject, wrote: Wrote): void;
  deleted(type: ResourceType, key: Key, uid?: string): void;
}

export interface HttpClientOptions {
  pool?: OwnPool;
  observer?: WriteObserver;
  /** For servers that ask to come back later; see Call. */
  retryWaitMs?: number;
}

/** What an `HttpClient` does. */
export type Client = Pick<HttpClient, keyof HttpClient>;

/**
 * Talks to the API server in plain JSON. Every method rejects with an `ApiError` that carries the server's own words, or with a
 * `TransportError` when no answer came. 429 (and 5xx with Retry-After) is retried within bounds, a 401 once with credentials read anew.
 * Writes through a manager's client reach the stores of that kind at once, and are refused with a `FencedError` when leadership is not
 * certain. Their answers are shared with the stores: read them, never change them.
 */
export class HttpClient {
  constructor(
    private readonly transport: Reader,
    private readonly options: HttpClientOptions = {},
  ) {}

  async get<T extends KubeObject>(type: ResourceType, key: Key, options?: CallOptions): Promise<T> {
    return stripManagedFields((await this.send("GET", objectPath(type, key), undefined, options)) as T);
  }

  list<T extends KubeObject>(type: ResourceType, options: ListOptions = {}): Promise<ObjectList<T>> {
    return list<T>(this.transport, type, options);
  }

  /** POST. `body.metadata.namespace` says where. */
  create<T extends KubeObject>(type: ResourceType, body: object, options: CreateOptions = {}): Promise<T> {
    const { namespace } = metadataOf(type, body);
    const path = resourcePath(type, namespace) + query({ fieldManager: options.fieldManager });
    return this.write<T>(type, "object", "POST", path, body, options);
  }

  /** Server-side apply of exactly the fields in `body` (apiVersion, kind, metadata.name and namespace included). */
  apply<T extends KubeObject>(type: ResourceType, body: object, options: ApplyOptions): Promise<T> {
    const { fieldManager, force } = options;
    const path = objectPath(type, metadataOf(type, body)) + query({ fieldManager, force: force || undefined });
    return this.write<T>(type, "object", "PATCH", path, body, options, "application/apply-patch+yaml");
  }

  /**
   * Makes what `fieldManager` owns by `create` and `patch` its own by apply, so that its next apply can drop fields. Costs a GET, and a
   * patch where there is something to do; rejects with 409 when the object changes meanwhile.
   */
  async ownByApply(type: ResourceType, key: Key, options: ApplyOptions): Promise<void> {
    const path = objectPath(type, key);
    const { signal, timeoutMs = defaultTimeoutMs } = options;
    const call: Call = { method: "GET", path, signal, timeoutMs, pool: this.options.pool, managedFields: true };
    const { metadata } = (await this.transport.json(call)) as KubeObject & {
      metadata: { managedFields?: ManagedFieldsEntry[] };
    };
    const managedFields = ownedByApply(metadata.managedFields ?? [], options.fieldManager);
    if (!managedFields) return;
    const changes = [
      { op: "replace", path: "/metadata/managedFields", value: managedFields },
      // A precondition: someone who writes meanwhile makes the server answer 409.
      { op: "replace", path: "/metadata/resourceVersion", value: metadata.resourceVersion },
    ];
    await this.write(type, "object", "PATCH", path, changes, options, "application/json-patch+json");
  }

  /** JSON merge patch of the object itself. */
  patch<T extends KubeObject>(type: ResourceType, key: Key, patch: object, options?: CallOptions): Promise<T> {
    return this.write<T>(type, "object", "PATCH", objectPath(type, key), patch, options, mergePatch);
  }

  /** JSON merge patch of `{ status }` on the status subresource, without resourceVersion, so that it cannot conflict. */
  patchStatus<T extends KubeObject>(type: ResourceType, key: Key, status: object, options?: CallOptions): Promise<T> {
    const path = objectPath(type, key, "status");
    return this.write<T>(type, "status", "PATCH", path, { status }, options, mergePatch);
  }

  /**
   * JSON merge patch of the scale subresource: `metadata` and `spec.replicas`. The store does not take the answer in, which is a
   * Scale; the watch tells of the change.
   */
  async patchScale(type: ResourceType, key: Key, patch: object, options?: CallOptions): Promise<void> {
    await this.send("PATCH", objectPath(type, key, "scale"), patch, options, mergePatch);
  }

  /** PUT with the body's resourceVersion: 409 when the object has changed since. */
  replace<T extends KubeObject>(type: ResourceType, body: KubeObject, options?: CallOptions): Promise<T> {
    return this.write<T>(type, "object", "PUT", objectPath(type, metadataOf(type, body)), body, options);
  }

  /** Resolves to the object when it lives on for its finalizers, to undefined when it is gone. */
  async delete(type: ResourceType, key: Key, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const { uid, propagationPolicy = "Background" } = options;
    const preconditions = uid === undefined ? undefined : { uid };
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy, preconditions };
    const answer = (await this.send("DELETE", objectPath(type, key), body, options)) as KubeObject & {
      details?: StatusDetails;
    };
    if (answer.kind === "Status") {
      this.options.observer?.deleted(type, key, uid ?? answer.details?.uid);
      return undefined;
    }
    const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = answer.metadata;
    if (deletionTimestamp !== undefined && (finalizers?.length || deletionGracePeriodSeconds)) {
      this.options.observer?.wrote(type, stripManagedFields(answer), "object");
      return answer;
    }
    this.options.observer?.deleted(type, key, answer.metadata.uid);
    return undefined;
  }

  private async write<T extends KubeObject>(
    type: ResourceType,
    wrote: Wrote,
    method: Call["method"],
    path: string,
    body: object,
    options?: CallOptions,
    contentType?: string,
  ): Promise<T> {
    const answer = stripManagedFields((await this.send(method, path, body, options, contentType)) as T);
    this.options.observer?.wrote(type, answer, wrote);
    return answer;
  }

  private send(
    method: Call["method"],
    path: string,
    body: object | undefined,
    { signal, timeoutMs = defaultTimeoutMs }: CallOptions = {},
    contentType?: string,
  ): Promise<unknown> {
    const { pool, retryWaitMs } = this.options;
    const text = body && JSON.stringify(body);
    return this.transport.json({ method, path, body: text, contentType, signal, timeoutMs, pool, retryWaitMs });
  }
}

function metadataOf(type: ResourceType, body: object): Key {
  const { metadata } = body as Partial<KubeObject>;
  if (!metadata) throw new Error(`${type.kind}: the body has no metadata`);
  const namespace = metadata.namespace ?? "";
  if (type.namespaced && namespace === "") {
    throw new Error(`${type.kind} ${metadata.name}: metadata.namespace is not set`);
  }
  return { namespace, name: metadata.name };
}
