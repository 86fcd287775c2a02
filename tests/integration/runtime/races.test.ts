import assert from "node:assert/strict";
import type { KubeObject, Store } from "../../../operator/runtime";
import { until } from "../../support/until";
import { configMap, configMaps, secrets } from "./harness";
import type { Running } from "./harness";
import { names, useLab } from "./lab";

interface Secret extends KubeObject {
  data?: Record<string, string>;
}

describe("own writes, late news and other people's edits", () => {
  const lab = useLab();

  it("kubernetes-sigs/controller-runtime#1622: a pass reads its own writes while the watch is late", async () => {
    lab.proxy.eventDelayMs = 1_500;
    await lab.create("a");
    const seen: (string | undefined)[] = [];
    const { manager, primary } = lab.start(async (key) => {
      if (seen.length > 0 || key.name !== "a") return;
      const body = configMap(lab.namespace, "a", { by: "us" });
      await manager.client.apply(configMaps, body, { fieldManager: "test", force: true });
      seen.push(primary.get(key)?.data?.by);
      await manager.client.delete(configMaps, key);
      seen.push(primary.get(key)?.metadata.name);
    });
    await until("the pass with its two writes", 10_000, () => seen.length === 2);
    assert.deepEqual(seen, ["us", undefined]);
  });

  it("ray-project/kuberay#715: with a watch that is 2 s late no child is made twice, and nothing goes backwards", async () => {
    lab.proxy.eventDelayMs = 2_000;
    const count = 20;
    const written = new Map<string, number[]>();
    let children: Store<Secret> | undefined;
    const running: Running = lab.start(
      async (key) => {
        const { manager, primary } = running;
        const owner = primary.get(key);
        const value = owner?.data?.value;
        if (!owner || value === undefined) return;
        const metadata = { name: key.name, namespace: key.namespace };
        const body = { apiVersion: "v1", kind: "Secret", metadata, stringData: { value } };
        const child = children?.get(key);
        // A create, so that a cache that does not know of the child yet shows as AlreadyExists.
        if (!child) await manager.client.create(secrets, body);
        else if (child.data?.value === Buffer.from(value).toString("base64")) return;
        else await manager.client.patch(secrets, key, { stringData: { value } });
        written.set(key.name, [...(written.get(key.name) ?? []), Number(value)]);
      },
      {
        watches: (manager) => {
          children = manager.store<Secret>(secrets);
          return [{ store: children, map: ({ metadata }) => [lab.key(metadata.name)] }];
        },
      },
    );
    await until("the caches to be complete", 10_000, () => running.primary.synced && children?.synced);
    for (const name of names(count)) await lab.admin.create(configMaps, configMap(lab.namespace, name, { value: "0" }));
    for (const value of ["1", "2", "3"]) for (const name of names(count)) await lab.edit(name, { value });
    const last = () => names(count).every((name) => written.get(name)?.at(-1) === 3);
    await until("the last value in every child", 15_000, last);
    for (const [name, values] of written) {
      assert.deepEqual(values, [...new Set(values)].sort(), `${name} was written as ${values.join(", ")}`);
    }
    assert.equal(
      lab.proxy.count((seen) => seen.method === "POST"),
      count,
    );
    assert.ok(lab.proxy.count((seen) => seen.method === "PATCH") <= 3 * count);
    assert.ok(running.lines.every((line) => !["warn", "error"].includes(line.level)));
  });

  it("operator-framework/operator-sdk#3968: writes to an object that someone edits all the time neither conflict nor are lost", async () => {
    const running: Running = lab.start(async (key) => {
      const { manager, primary } = running;
      const value = primary.get(key)?.data?.value;
      if (value === undefined || primary.get(key)?.data?.seen === value) return;
      await manager.client.patch(configMaps, key, { data: { seen: value } });
    });
    await lab.create("a");
    for (let i = 0; i < 40; i++) {
      await lab.admin.patch(configMaps, lab.key("a"), { metadata: { labels: { edit: String(i) } } });
      if (i % 10 === 9) await lab.edit("a", { value: String(i) });
    }
    await until("the last value to be seen", 2_000, async () => {
      const object = await lab.admin.get(configMaps, lab.key("a"));
      return (object as { data?: { seen?: string } }).data?.seen === "39";
    });
    assert.equal(
      (await running.manager.metrics.metrics()).match(/rest_client_requests_total\{code="409"/),
      null,
      "conflicts",
    );
    assert.ok(running.lines.every((line) => line.level !== "error"));
    assert.ok(lab.proxy.count((seen) => seen.method === "PATCH") <= 4);
  });
});
