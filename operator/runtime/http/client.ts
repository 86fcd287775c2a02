import type { StatusDetails } from "../errors";
import { stripManagedFields } from "../object";
import type {
  ApplyOptions,
  CallOptions,
  Client,
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
import type { Call, PoolName, Reader } from "./transport";

const defaultTimeoutMs = 30_000;
/** Otherwise the server looks for unknown fields as well, only to warn: a quarter of the cost of a small apply. */
const fieldValidation = "Ignore";

/** Told about every answer to a write, before the caller is. */
export interface WriteObserver {
  wrote(type: ResourceType, object: KubeObject, wrote: Wrote): void;
  deleted(type: ResourceType, key: Key, uid?: string): void;
}

export interface HttpClientOptions {
  pool?: PoolName;
  observer?: WriteObserver;
  /** For servers that ask to come back later; see Call. */
  retryWaitMs?: number;
}

/** The Client over a Transport. Answers to writes are shared with the caches: read them, never change them. */
export class HttpClient implements Client {
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

  create<T extends KubeObject>(type: ResourceType, body: object, options: CreateOptions = {}): Promise<T> {
    const { namespace } = metadataOf(type, body);
    const path = resourcePath(type, namespace) + query({ fieldManager: options.fieldManager, fieldValidation });
    return this.write<T>(type, "object", "POST", path, body, options);
  }

  apply<T extends KubeObject>(type: ResourceType, body: object, options: ApplyOptions): Promise<T> {
    const { fieldManager, force } = options;
    const parameters = { fieldManager, force: force || undefined, fieldValidation };
    const path = objectPath(type, metadataOf(type, body)) + query(parameters);
    return this.write<T>(type, "object", "PATCH", path, body, options, "application/apply-patch+yaml");
  }

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

  patch<T extends KubeObject>(type: ResourceType, key: Key, patch: object, options?: CallOptions): Promise<T> {
    return this.write<T>(
      type,
      "object",
      "PATCH",
      objectPath(type, key),
      patch,
      options,
      "application/merge-patch+json",
    );
  }

  patchStatus<T extends KubeObject>(type: ResourceType, key: Key, status: object, options?: CallOptions): Promise<T> {
    const path = objectPath(type, key, "status");
    return this.write<T>(type, "status", "PATCH", path, { status }, options, "application/merge-patch+json");
  }

  async patchScale(type: ResourceType, key: Key, patch: object, options?: CallOptions): Promise<void> {
    await this.send("PATCH", objectPath(type, key, "scale"), patch, options, "application/merge-patch+json");
  }

  replace<T extends KubeObject>(type: ResourceType, body: KubeObject, options?: CallOptions): Promise<T> {
    return this.write<T>(type, "object", "PUT", objectPath(type, metadataOf(type, body)), body, options);
  }

  async delete(type: ResourceType, key: Key, options: DeleteOptions = {}): Promise<KubeObject | undefined> {
    const { uid, propagationPolicy = "Background" } = options;
    const body = {
      apiVersion: "v1",
      kind: "DeleteOptions",
      propagationPolicy,
      ...(uid === undefined ? {} : { preconditions: { uid } }),
    };
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
    options: CallOptions = {},
    contentType?: string,
  ): Promise<unknown> {
    return this.transport.json({
      method,
      path,
      body: body === undefined ? undefined : JSON.stringify(body),
      contentType,
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? defaultTimeoutMs,
      pool: this.options.pool,
      retryWaitMs: this.options.retryWaitMs,
    });
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
