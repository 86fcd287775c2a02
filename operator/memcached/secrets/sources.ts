import type { DefaultedSpec } from "../../../api";
import type { ResourceType } from "../../runtime";
import { configMapType, secretType } from "../types";

/** An object whose data becomes files of the servers. */
export interface Source {
  type: ResourceType;
  name: string;
  /** The field of the Memcached that names it. */
  field: string;
  /** The keys that it must have, and the file in the container that each becomes. */
  files: { key: string; path: string }[];
}

const named = (...names: string[]): Source["files"] => names.map((name) => ({ key: name, path: name }));

/** What spec.tls and spec.auth name. */
export function sourcesOf({ tls, auth }: Pick<DefaultedSpec, "tls" | "auth">): Source[] {
  const sources: Source[] = [];
  const add = (type: ResourceType, name: string, field: string, files: Source["files"]) =>
    sources.push({ type, name, field, files });
  if (tls) add(secretType, tls.secretName, "spec.tls.secretName", named("tls.crt", "tls.key"));
  const { secretName, configMapName, key = "ca.crt" } = tls?.clientCA ?? {};
  const authorities = [{ key, path: "client-ca.crt" }];
  if (secretName) add(secretType, secretName, "spec.tls.clientCA.secretName", authorities);
  if (configMapName) add(configMapType, configMapName, "spec.tls.clientCA.configMapName", authorities);
  if (auth) add(secretType, auth.secretName, "spec.auth.secretName", named("users"));
  return sources;
}
