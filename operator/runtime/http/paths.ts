import type { Key, ResourceType } from "../types";

/** The REST path of a kind, of one namespace's part of it, or of one object and its subresource. */
export function resourcePath(type: ResourceType, namespace?: string, name?: string, subresource?: string): string {
  const root = type.group === "" ? `/api/${type.version}` : `/apis/${type.group}/${type.version}`;
  const scope = type.namespaced && namespace ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  const object = name === undefined ? "" : `/${encodeURIComponent(name)}`;
  return `${root}${scope}/${type.plural}${object}${subresource ? `/${subresource}` : ""}`;
}

/** Refuses a key that would silently name another path, such as a list instead of an object. */
export function objectPath(type: ResourceType, key: Key, subresource?: string): string {
  if (key.name === "") throw new Error(`${type.kind}: the name is empty`);
  if (type.namespaced && key.namespace === "") throw new Error(`${type.kind} ${key.name}: the namespace is empty`);
  return resourcePath(type, key.namespace, key.name, subresource);
}

/** "?a=b&c=d" of what is defined, or "". */
export function query(parameters: Record<string, string | number | boolean | undefined>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === "" ? "" : `?${text}`;
}

export function typeName(type: ResourceType): string {
  return type.group === "" ? type.plural : `${type.plural}.${type.group}`;
}
