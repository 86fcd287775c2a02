/** Namespaces for tests: one each, gone afterwards. */
import { randomBytes } from "node:crypto";
import type { ControlPlane } from "./controlPlane";

/** Creates a namespace with a name of its own and gives the name. */
export async function newNamespace({ client }: Pick<ControlPlane, "client">, prefix = "test"): Promise<string> {
  const name = `${prefix}-${randomBytes(4).toString("hex")}`;
  await client.json("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
  return name;
}

/** Asks for a namespace's deletion; the namespace controller does the rest. */
export async function deleteNamespace({ client }: Pick<ControlPlane, "client">, name: string): Promise<void> {
  await client.request("DELETE", `/api/v1/namespaces/${name}`);
}
