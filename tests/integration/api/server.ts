import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { crdName, group, kind, memcachedCrd, plural } from "../../../api";
import { controlPlane, type ControlPlane } from "../../support/controlPlane";
import { newNamespace } from "../../support/namespace";
import { until } from "../../support/until";

export interface Answer {
  code: number;
  /** The object, or the Status of a refusal. */
  body: {
    message?: string;
    metadata?: { name?: string; generation?: number; labels?: Record<string, string> };
    spec?: Record<string, unknown>;
    status?: Record<string, unknown>;
    details?: { causes?: { field?: string; message?: string }[] };
  };
}

/** The API server with the CRD installed, and a namespace to try it in. */
export interface Server extends ControlPlane {
  namespace: string;
  /** Path of the collection, or of one object, in a version. */
  at(version: string, name?: string): string;
  ask(method: string, path: string, body?: object, contentType?: string): Promise<Answer>;
  /** Creates an object, only on trial unless told otherwise, unknown fields refused. */
  create(version: string, name: string, spec: unknown, query?: string): Promise<Answer>;
}

export const dryRun = "?dryRun=All&fieldValidation=Strict";
export const mergePatch = "application/merge-patch+json";

const run = promisify(execFile);

/** Runs kubectl as an administrator in the server's namespace; fails when it does. */
export const kubectlOn = ({ kubectl, kubeconfig, namespace }: Server, ...args: string[]) =>
  run(kubectl, ["--kubeconfig", kubeconfig, "--namespace", namespace, ...args]);

interface CrdStatus {
  status?: { conditions?: { type: string; status: string }[] };
}

export async function serverWithCrd(own?: ControlPlane): Promise<Server> {
  const plane = own ?? (await controlPlane());
  const { client } = plane;
  const crdPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crdName}`;
  await client.apply(crdPath, memcachedCrd());
  await until(`${crdName} to be Established`, 20_000, async () => {
    const { status } = await client.json<CrdStatus>("GET", crdPath);
    return status?.conditions?.some((condition) => condition.type === "Established" && condition.status === "True");
  });
  const namespace = await newNamespace(plane, "api");
  const at = (version: string, name?: string) =>
    [`/apis/${group}/${version}/namespaces/${namespace}/${plural}`, ...(name === undefined ? [] : [name])].join("/");
  await until("both versions to be served", 20_000, async () => {
    const answers = await Promise.all(["v1", "v1alpha1"].map((version) => client.request("GET", at(version))));
    return answers.every(({ code }) => code === 200);
  });
  const ask: Server["ask"] = async (method, path, body, contentType) => {
    const { code, text } = await client.request(method, path, body, contentType);
    return { code, body: JSON.parse(text) as Answer["body"] };
  };
  const create: Server["create"] = (version, name, spec, query = dryRun) =>
    ask("POST", at(version) + query, { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec });
  return { ...plane, namespace, at, ask, create };
}
