import assert from "node:assert/strict";
import type { V1PodSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { Lab } from "./lab";

interface Workload extends KubeObject {
  spec: { template: { spec: V1PodSpec } };
}

describe("what is passed on to the servers' pods", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  const change = (name: string, spec: object) => lab.patch(lab.server.at("v1", name), { spec });

  for (const workload of ["Deployment", "StatefulSet"] as const) {
    const collection = `${workload.toLowerCase()}s`;

    it(`k8ssandra/k8ssandra-operator#583: a ${workload} without its ServiceAccount says so, runs as it, and no more once it is taken out`, async () => {
      const name = `accounted-${workload.toLowerCase()}`;
      const [account, path] = [`${name}-account`, lab.apps(collection, name)];
      await lab.create(name, { size: 1, workload, serviceAccountName: account });
      const { message } = await lab.awaitCondition(name, "Degraded", "True", "ReplicaFailure");
      assert.ok(message.includes(`serviceaccount "${account}" not found`), message);
      await lab.server.client.json("POST", lab.core("serviceaccounts"), {
        ...{ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account } },
      });
      // The controllers of the cluster take their time to try again; a change has them do it at once.
      await change(name, { podAnnotations: { turn: "2" } });
      await lab.becomesReady(name, 1);
      const [pod] = (await lab.pods(name)) as unknown as { spec: V1PodSpec }[];
      assert.deepEqual([pod?.spec.serviceAccountName, pod?.spec.automountServiceAccountToken], [account, false]);
      assert.ok(!pod?.spec.volumes?.length, "no token");

      await change(name, { serviceAccountName: null });
      const { spec } = await lab.awaits<Workload>("the account to go", path, (made) => {
        return made.spec.template.spec.serviceAccountName === undefined;
      });
      assert.equal(spec.template.spec.serviceAccount, undefined);
    });

    it(`k8ssandra/k8ssandra-operator#583: a ${workload} without its RuntimeClass says so`, async () => {
      const name = `sandboxed-${workload.toLowerCase()}`;
      await lab.create(name, { size: 1, workload, runtimeClassName: "gvisor" });
      const { message } = await lab.awaitCondition(name, "Degraded", "True", "ReplicaFailure");
      assert.match(message, /RuntimeClass "gvisor" not found/);
      await change(name, { runtimeClassName: null });
      await lab.becomesReady(name, 1);
    });

    it(`k8ssandra/k8ssandra-operator#583: the pods of a ${workload} are left to the scheduler that is named`, async () => {
      const name = `scheduled-${workload.toLowerCase()}`;
      await lab.create(name, { size: 1, workload, schedulerName: "bin-packing" });
      await lab.becomesReady(name, 1);
      const schedulers = async () =>
        ((await lab.pods(name)) as unknown as { spec: V1PodSpec }[]).map(({ spec }) => spec.schedulerName);
      assert.deepEqual(await schedulers(), ["bin-packing"]);
      await change(name, { schedulerName: null });
      await lab.awaits<Workload>("the cluster's own scheduler", lab.apps(collection, name), ({ spec }) => {
        return spec.template.spec.schedulerName === "default-scheduler";
      });
    });
  }
});
