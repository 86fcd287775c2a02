import assert from "node:assert/strict";
import type { V1DeploymentSpec, V1StatefulSetSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { kubectlOn } from "../api/server";
import { Lab } from "./lab";

type Spec = Partial<V1StatefulSetSpec & V1DeploymentSpec>;
type Workload = KubeObject & { spec: Spec };

describe("a workload of ours that an earlier release made otherwise", function () {
  this.timeout(90_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  const cases: [workload: "Deployment" | "StatefulSet", was: () => Spec, named: RegExp][] = [
    [
      "StatefulSet",
      () => ({ serviceName: "old-domain", podManagementPolicy: "OrderedReady" }),
      /spec\.serviceName is "old-domain" and should be "made-statefulset", and spec\.podManagementPolicy is "OrderedReady" and should be "Parallel"/,
    ],
    [
      "Deployment",
      () => ({ selector: { matchLabels: { tier: "cache" } } }),
      /spec\.selector is {"matchLabels":{"tier":"cache"}} and should be {"matchLabels":{"app\.kubernetes\.io/,
    ],
  ];
  for (const [workload, was, named] of cases)
    it(`OT-CONTAINER-KIT/redis-operator#1427: ${workload}: the fields are named, and the command told keeps the pods`, async () => {
      const name = `made-${workload.toLowerCase()}`;
      const collection = lab.apps(`${workload.toLowerCase()}s`);
      const path = `${collection}/${name}`;
      await lab.create(name, { size: 2, workload, podLabels: { tier: "cache" } });
      await lab.becomesReady(name, 2);
      const uids = async () => (await lab.pods(name)).map(({ metadata }) => metadata.uid).sort();
      const pods = await uids();
      await lab.stop();
      const { metadata, spec } = (await lab.get<Workload>(path))!;
      await lab.delete(path, "Orphan");
      await until("it to be gone", 15_000, async () => !(await lab.get(path)));
      const { labels, annotations, ownerReferences } = metadata;
      const old = await lab.server.client.json<KubeObject>("POST", collection, {
        ...{ apiVersion: "apps/v1", kind: workload, metadata: { name, labels, annotations, ownerReferences } },
        spec: { ...spec, ...was() },
      });
      await lab.start();
      const { message } = await lab.awaitCondition(name, "Degraded", "True", "ImmutableField");
      assert.match(message, named);
      assert.equal((await lab.get(path))?.metadata.uid, old.metadata.uid, "nothing is replaced unasked");
      const command = /kubectl (delete \S+ \S+ -n \S+ --cascade=orphan --wait=false)/.exec(message)?.[1] ?? "";
      await kubectlOn(lab.server, ...command.split(" "));
      await lab.awaits("a new one", path, (made) => made.metadata.uid !== old.metadata.uid);
      await lab.awaitCondition(name, "Ready", "True");
      await lab.awaitCondition(name, "Degraded", "False");
      assert.deepEqual(await uids(), pods);
    });
});
