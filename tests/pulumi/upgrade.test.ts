import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { crdPath } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";
import type { StateResource } from "../support/storedStack";

const fixtures = join(__dirname, "fixtures");
const releases = readdirSync(fixtures, { withFileTypes: true }).filter((entry) => entry.isDirectory());

for (const { name: release } of releases)
  describe(`pulumi: upgrade from the state of release ${release}`, function () {
    this.timeout(120_000);
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- import() of TypeScript does not run under tsx/cjs
    const { program, cacheNamespace, teamNamespace } = require(join(fixtures, release, "program")) as {
      program: Program;
      cacheNamespace: string;
      teamNamespace: string;
    };
    const operatorNamespace = "memcached-operator-system";
    let plane: ControlPlane;
    let kubelet: Kubelet;
    let stack: TestStack;
    let recorded: StateResource[];
    const object = (path: string) =>
      plane.client.json<{ metadata: { uid: string }; spec: { size: number } }>("GET", path);
    const sessions = () => recorded.find((r) => r.id?.startsWith(`${cacheNamespace}/sessions`))!.id!.split("/")[1]!;
    const cachePath = () => `/apis/cache.example.com/v1/namespaces/${cacheNamespace}/memcacheds/${sessions()}`;

    before(async () => {
      plane = await controlPlane();
      stack = await newStack(plane.kubeconfig, program);
      const state = readFileSync(join(fixtures, release, "state.json"), "utf8");
      const deployment = JSON.parse(state.replaceAll('"KUBECONFIG"', JSON.stringify(plane.kubeconfig))) as {
        deployment: { resources: StateResource[] };
      };
      recorded = deployment.deployment.resources;
      await stack.stack.importStack(deployment as never);
      for (const name of [cacheNamespace, teamNamespace])
        await plane.client.apply(`/api/v1/namespaces/${name}`, namespaceOf(name));
      for (const resource of recorded) await restore(plane, resource);
      kubelet = startKubelet(plane, [operatorNamespace, cacheNamespace]);
    });
    after(async () => {
      await stack.destroy();
      await kubelet.stop();
      stack.remove();
    });
    afterEach(function () {
      if (this.currentTest?.state === "failed") console.error(stack.log(), kubelet.log());
    });

    it("pulumi/pulumi-kubernetes#2926, #2948: a preview replaces and deletes nothing of the package's own", async () => {
      assert.deepEqual(beyondUpdates(await stack.preview()), expected);
    });

    it("updates to the code of today in place, and the caches stay", async () => {
      const [cache, crd] = [await object(cachePath()), await object(crdPath)];
      const { outputs, summary } = await stack.up();
      assert.deepEqual(beyondUpdates(summary.resourceChanges!), expected);
      assert.equal((await object(cachePath())).metadata.uid, cache.metadata.uid);
      assert.equal((await object(crdPath)).metadata.uid, crd.metadata.uid);
      assert.deepEqual(outputs.servers!.value, [`${sessions()}.${cacheNamespace}.svc.cluster.local:11311`]);
      await stack.noChanges();
    });
  });

/**
 * The program's own ConfigMap, which the provider replaces: release 0.1.0 gave it addresses without the cluster's domain. And for each of the two
 * operators the ClusterRole that lets it read Secrets, which nothing binds.
 */
const expected = { create: 2, replace: 1 };

function beyondUpdates(changes: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(changes).filter(([operation]) => !["same", "update"].includes(operation)));
}

const namespaceOf = (name: string) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** Makes the object of a recorded resource as its release made it, with its field manager. */
async function restore(plane: ControlPlane, { type, inputs, outputs }: StateResource): Promise<void> {
  if (!inputs?.kind || !type.startsWith("kubernetes:")) return;
  const { apiVersion, kind, metadata } = inputs as {
    apiVersion: string;
    kind: string;
    metadata: { name: string; namespace?: string };
  };
  const api = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = metadata.namespace ? `/namespaces/${metadata.namespace}` : "";
  const plural = `${kind.toLowerCase()}s`;
  const query = `fieldManager=${String((outputs as { __fieldManager: string }).__fieldManager)}&force=true`;
  const path = `${api}${within}/${plural}/${metadata.name}?${query}`;
  await plane.client.json("PATCH", path, inputs, "application/apply-patch+yaml");
}
