import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { Lab } from "./lab";

interface Workload extends KubeObject {
  spec: { template: object };
}

describe("labels of what the operator makes", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  for (const workload of ["Deployment", "StatefulSet"] as const)
    it(`OT-CONTAINER-KIT/redis-operator#244: a ${workload} and its Service carry those asked for; a change replaces no pod`, async () => {
      const name = `labelled-${workload.toLowerCase()}`;
      const children = [lab.apps(`${workload.toLowerCase()}s`, name), lab.core("services", name)];
      await lab.create(name, { size: 1, workload, childLabels: { team: "a" }, podLabels: { pod: "b" } });
      await lab.becomesReady(name, 1);
      const pods = (await lab.pods(name)).map(({ metadata }) => metadata.uid);
      for (const path of children) {
        const { metadata } = (await lab.get(path))!;
        assert.equal(metadata.labels?.team, "a");
        assert.equal(metadata.labels?.pod, undefined);
        assert.equal(metadata.labels?.["app.kubernetes.io/instance"], name);
      }

      const template = async () => (await lab.get<Workload>(children[0]!))?.spec.template;
      const before = await template();
      await lab.patch(lab.server.at("v1", name), { spec: { childLabels: { team: null, cost: "c" } } });
      for (const path of children) {
        const changed = await lab.awaits("the new labels", path, ({ metadata }) => metadata.labels?.cost === "c");
        assert.equal(changed.metadata.labels?.team, undefined);
      }
      await lab.awaitCondition(name, "Ready", "True");
      assert.deepEqual(await template(), before);
      assert.deepEqual(
        (await lab.pods(name)).map(({ metadata }) => metadata.uid),
        pods,
      );
    });
});
