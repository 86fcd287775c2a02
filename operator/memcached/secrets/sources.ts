import type { DefaultedSpec } from "../../../api";
import type { ResourceType } from "../../runtime";
import { configMapType, secretType } from "../types";

/** An object whose data becomes files of the servers. */
export interface Source {
  type: ResourceType;
  name: string;
  /** The field of the Memcached that names it. */
  field: string;
  /** The keys that it must have. */
  keys: string[];
}

/** What spec.tls and spec.auth name. */
export function sourcesOf({ tls, auth }: Pick<DefaultedSpec, "tls" | "auth">): Source[] {
  const sources: Source[] = [];
  if (tls)
    sources.push({
      type: secretType,
      name: tls.secretName,
      field: "spec.tls.secretName",
      keys: ["tls.crt", "tls.key"],
    });
  const { secretName, configMapName, key = "ca.crt" } = tls?.clientCA ?? {};
  if (secretName)
    sources.push({ type: secretType, name: secretName, field: "spec.tls.clientCA.secretName", keys: [key] });
  if (configMapName)
    sources.push({ type: configMapType, name: configMapName, field: "spec.tls.clientCA.configMapName", keys: [key] });
  if (auth) sources.push({ type: secretType, name: auth.secretName, field: "spec.auth.secretName", keys: ["users"] });
  return sources;
}
