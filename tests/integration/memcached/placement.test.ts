import assert from "node:assert/strict";
import type { V1PodSpec } from "@kubernetes/client-node";
import type { MemcachedSpec } from "../../../api";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab } from "./lab";

interface Pod extends KubeObject {
  spec: V1PodSpec;
}

const zone = { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" };
const nodes = [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }];
const affinity = {
  nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: nodes } },
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: "kubernetes.io/hostname", labelSelector: {}, namespaceSelector: {} },
    ],
  },
};

/** Each field with what it has to do to a pod that the API server has taken. */
const fields: [string, MemcachedSpec, (pod: Pod) => unknown, unknown][] = [
  ["nodeSelector", { nodeSelector: { pool: "cache" } }, ({ spec }) => spec.nodeSelector, { pool: "cache" }],
  [
    "tolerations",
    { tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }] },
    ({ spec }) => spec.tolerations?.find(({ key }) => key === "dedicated"),
    { key: "dedicated", operator: "Exists", effect: "NoSchedule" },
  ],
  ["affinity", { affinity }, ({ spec }) => spec.affinity, affinity],
  [
    "topologySpreadConstraints",
    { topologySpreadConstraints: [zone] },
    ({ spec }) => spec.topologySpreadConstraints?.map(({ topologyKey, labelSelector }) => [topologyKey, labelSelector]),
    [
      [
        zone.topologyKey,
        { matchLabels: { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": "NAME" } },
      ],
    ],
  ],
  [
    "priorityClassName",
    { priorityClassName: "system-node-critical" },
    ({ spec }) => [spec.priorityClassName, spec.priority],
    ["system-node-critical", 2_000_001_000],
  ],
  ["podLabels", { podLabels: { team: "checkout" } }, ({ metadata }) => metadata.labels?.team, "checkout"],
  [
    "podAnnotations",
    { podAnnotations: { "example.com/a": "b" } },
    ({ metadata }) => metadata.annotations?.["example.com/a"],
    "b",
  ],
];

describe("where the servers are placed, and what their pods carry", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  for (const workload of ["Deployment", "StatefulSet"] as const)
    for (const [field, spec, of, expected] of fields)
      it(`${field} reaches the pods of a ${workload}`, async () => {
        const name = `${field.toLowerCase().slice(0, 20)}-${workload.toLowerCase()}`;
        await lab.create(name, { size: 1, workload, ...spec });
        const [pod] = await until(`a pod of ${name}`, 15_000, async () => {
          const pods = (await lab.pods(name)) as unknown as Pod[];
          return pods.length > 0 && pods;
        });
        assert.deepEqual(of(pod!), JSON.parse(JSON.stringify(expected).replace("NAME", name)));
      });

  it("a change of what the API server keeps as one value converges in one write (Altinity/clickhouse-operator#1904)", async () => {
    await lab.create("once", { size: 0, affinity, topologySpreadConstraints: [zone] });
    await lab.awaitCondition("once", "Ready", "True");
    await lab.patch(lab.server.at("v1", "once"), { spec: { affinity: null, tolerations: [{ operator: "Exists" }] } });
    const deployment = lab.apps("deployments", "once");
    const changed = await lab.awaits<KubeObject & { spec: { template: { spec: V1PodSpec } } }>(
      "the toleration, and no affinity",
      deployment,
      ({ spec }) => spec.template.spec.tolerations && !spec.template.spec.affinity,
    );
    await lab.awaitCondition("once", "Ready", "True");
    assert.equal((await lab.get(deployment))?.metadata.generation, changed.metadata.generation);
    assert.equal(changed.metadata.generation, 2);
  });

  it("what a pod may not be is refused in the API server's words, and cleared when it is mended", async () => {
    const terms = [{ matchExpressions: [{ key: "a", operator: "Exists", values: ["b"] }] }];
    const nodeAffinity = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
    await lab.create("wrong", { size: 1, affinity: { nodeAffinity } });
    const { message } = await lab.awaitCondition("wrong", "Degraded", "True", "Invalid");
    assert.match(message, /^spec\.affinity\.nodeAffinity\..*\.values: Forbidden/);
    await lab.patch(lab.server.at("v1", "wrong"), { spec: { affinity: null } });
    await lab.awaitCondition("wrong", "Degraded", "False");
  });
});
