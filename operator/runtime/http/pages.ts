import type { KubeObject, ResourceType } from "../types";
import { stripManagedFields } from "../object";
import { query, resourcePath } from "./paths";
import type { Reader } from "./transport";

export interface PageOptions {
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  limit?: number;
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface Page {
  items: KubeObject[];
  resourceVersion: string;
}

interface RawList {
  apiVersion: string;
  kind: string;
  metadata: { resourceVersion?: string; continue?: string };
  items: KubeObject[] | null;
}

/** A consistent LIST, page by page. A continue token that expires under way rejects with the server's 410. */
export async function* pages(transport: Reader, type: ResourceType, options: PageOptions): AsyncGenerator<Page> {
  let token: string | undefined;
  do {
    const path = resourcePath(type, options.namespace);
    const { labelSelector, fieldSelector, timeoutMs = 60_000, signal, limit = 500 } = options;
    const raw = (await transport.json({
      method: "GET",
      path: path + query({ labelSelector, fieldSelector, limit: limit || undefined, continue: token }),
      timeoutMs,
      signal,
    })) as RawList;
    token = raw.metadata.continue || undefined;
    const kind = raw.kind.replace(/List$/, "");
    const items = raw.items ?? [];
    for (const item of items) {
      // Items of built-in kinds come without the two.
      item.apiVersion ??= raw.apiVersion;
      item.kind ??= kind;
      stripManagedFields(item);
    }
    yield { items, resourceVersion: raw.metadata.resourceVersion ?? "" };
  } while (token !== undefined);
}
