import assert from "node:assert/strict";
import type { V1Container } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { kubectlOn } from "../api/server";
import { Lab, brief } from "./lab";
import { MutatingWebhook, type Patch } from "./webhook";

interface Workload extends KubeObject {
  spec: { template: { spec: { containers: [V1Container] } } };
}

const container = "/spec/template/spec/containers/0";

/** Images come from a mirror and are always asked for, no server takes less than half a core, and none may wait before it ends. */
function policy({ spec }: Workload): Patch {
  const [{ image = "", lifecycle }] = spec.template.spec.containers;
  return [
    {
      op: "add",
      path: `${container}/image`,
      value: image.startsWith("mirror.local/") ? image : `mirror.local/${image}`,
    },
    { op: "add", path: `${container}/imagePullPolicy`, value: "Always" },
    { op: "add", path: `${container}/resources/requests/cpu`, value: "500m" },
    ...(lifecycle ? [{ op: "remove" as const, path: `${container}/lifecycle` }] : []),
  ];
}

describe("policies that rewrite what the operator decides", function () {
  this.timeout(90_000);
  let lab: Lab;
  let webhook: MutatingWebhook;
  before(async () => {
    lab = await Lab.open();
    webhook = await MutatingWebhook.start(lab, policy);
    const probe = {
      ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "probe" } },
      spec: {
        selector: { matchLabels: { a: "b" } },
        template: {
          metadata: { labels: { a: "b" } },
          spec: { containers: [{ name: "c", image: "i:1", resources: { requests: { memory: "1Mi" } } }] },
        },
      },
    };
    await until("the policy to be in force", 20_000, async () => {
      const { body } = await lab.server.ask("POST", `${lab.apps("deployments")}?dryRun=All`, probe);
      return JSON.stringify(body).includes("mirror.local/i:1");
    });
  });
  after(async () => {
    await webhook.stop();
    await lab.stop();
  });

  const writes = (since: number, name: string) =>
    brief(lab.requests().slice(since)).filter((line) => line.endsWith(`s/${name}`) && !line.startsWith("get "));

  for (const workload of ["Deployment", "StatefulSet"] as const)
    it(`eclipse-che/che#22414, Kong/kong-operator#522: a ${workload} is written once, and a restart changes nothing`, async () => {
      const name = `ruled-${workload.toLowerCase()}`;
      const collection = `${workload.toLowerCase()}s`;
      const path = lab.apps(collection, name);
      await lab.create(name, { size: 1, workload });
      await lab.becomesReady(name, 1);
      const made = (await lab.get<Workload>(path))!;
      const [{ image, imagePullPolicy, resources, lifecycle }] = made.spec.template.spec.containers;
      assert.deepEqual(
        [image, imagePullPolicy, lifecycle],
        ["mirror.local/example.com/memcached:1", "Always", undefined],
      );
      assert.equal(resources?.requests?.cpu, "500m");
      const created = [`create services/${name}`, `create ${collection}/${name}`].sort();
      assert.deepEqual(writes(0, name).sort(), created);

      // A change beside the fields of ours, and a resize, are no reason to write them again.
      const since = lab.requests().length;
      await lab.patch(path, { metadata: { annotations: { "example.com/theirs": "kept" } } });
      await lab.patch(`${lab.server.at("v1", name)}/scale`, { spec: { replicas: 2 } });
      await lab.becomesReady(name, 2);
      assert.deepEqual(writes(since, name).sort(), [
        `create poddisruptionbudgets/${name}`,
        `patch ${collection}/${name}`,
      ]);
      const before = (await lab.get<Workload>(path))!;

      for (let i = 0; i < 2; i++) {
        await lab.stop();
        const restart = lab.requests().length;
        await lab.start();
        await lab.patch(lab.server.at("v1", name), { metadata: { labels: { turn: String(i) } } });
        await lab.create(`probe${i}-${name}`, { size: 0 });
        await lab.awaitCondition(`probe${i}-${name}`, "Ready", "True");
        await lab.awaitCondition(name, "Ready", "True");
        assert.ok(writes(restart, name).length <= 1, writes(restart, name).join(", "));
      }
      const after = (await lab.get<Workload>(path))!;
      assert.deepEqual([after.metadata.generation, after.spec], [before.metadata.generation, before.spec]);
      const { stdout } = await kubectlOn(lab.server, "describe", "memcached", name);
      assert.doesNotMatch(stdout, /Restored/);

      // What a person changes is still drift, and what the policy makes of the healing is as good as before.
      await lab.patch(path, { metadata: { labels: { "app.kubernetes.io/component": "other" } } });
      await lab.awaits(
        "the label to be healed",
        path,
        ({ metadata }) => metadata.labels?.["app.kubernetes.io/component"] === "cache",
      );
      await until("the healing to be told", 10_000, async () =>
        /Restored/.test((await kubectlOn(lab.server, "describe", "memcached", name)).stdout),
      );
    });
});
