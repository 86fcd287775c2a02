/** What a stack has made in the cluster, as it is now. */
import assert from "node:assert/strict";
import type { ControlPlane } from "../../support/controlPlane";
import type { TestStack } from "../../support/stack";
import type { StateResource } from "../../support/storedStack";

export interface LiveObject {
  kind: string;
  metadata: { name: string; uid: string; resourceVersion: string; deletionTimestamp?: string };
  status?: { conditions?: { type: string; status: string }[] };
}

/** The path of a resource's object. */
export function objectPath({ id, inputs }: Pick<StateResource, "id" | "inputs">): string {
  const { apiVersion, kind } = inputs as { apiVersion: string; kind: string };
  const [name, namespace] = id!.split("/").reverse();
  const api = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${api}${namespace ? `/namespaces/${namespace}` : ""}/${kind.toLowerCase()}s/${name}`;
}

/** The objects of a stack by kind and Pulumi name, such as "Memcached cache"; fails when one is not there, or is going. */
export async function liveObjects(plane: ControlPlane, stack: TestStack): Promise<Record<string, LiveObject>> {
  const made = stack.resources().filter(({ id, type }) => id && type.startsWith("kubernetes:"));
  const read = made.map(async (resource): Promise<[string, LiveObject]> => {
    const object = await plane.client.json<LiveObject>("GET", objectPath(resource));
    assert.equal(object.metadata.deletionTimestamp, undefined, `${resource.urn} is being deleted`);
    return [`${object.kind} ${resource.urn.split("::").pop()}`, object];
  });
  return Object.fromEntries((await Promise.all(read)).sort(([a], [b]) => a.localeCompare(b)));
}
