import { isApiError } from "../errors";
import { stripManagedFields } from "../object";
import type { KubeObject, ListOptions, ObjectList, ResourceType } from "../types";
import { query, resourcePath } from "./paths";
import type { Reader } from "./transport";

interface RawList {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion?: string; continue?: string };
  items: KubeObject[] | null;
}

/** A consistent LIST, its pages joined. */
export async function list<T extends KubeObject>(
  transport: Reader,
  type: ResourceType,
  options: ListOptions,
): Promise<ObjectList<T>> {
  try {
    return await inPages<T>(transport, type, options);
  } catch (error) {
    // The continue token expired under way: ask for everything at once.
    if (isApiError(error, 410)) return inPages(transport, type, { ...options, limit: 0 });
    throw error;
  }
}

async function inPages<T extends KubeObject>(
  transport: Reader,
  type: ResourceType,
  { namespace, labelSelector, fieldSelector, limit = 500, timeoutMs = 60_000, signal }: ListOptions,
): Promise<ObjectList<T>> {
  const all: ObjectList<T> = { items: [], resourceVersion: "" };
  let token: string | undefined;
  do {
    const parameters = { labelSelector, fieldSelector, limit: limit || undefined, continue: token };
    const path = resourcePath(type, namespace) + query(parameters);
    const raw = (await transport.json({ method: "GET", path, timeoutMs, signal })) as RawList;
    const kind = raw.kind.replace(/List$/, "");
    for (const item of raw.items ?? []) {
      // Items of built-in kinds come without the two.
      item.apiVersion ??= raw.apiVersion;
      item.kind ??= kind;
      all.items.push(stripManagedFields(item) as T);
    }
    all.resourceVersion = raw.metadata.resourceVersion ?? "";
    token = raw.metadata.continue || undefined;
  } while (token !== undefined);
  return all;
}
