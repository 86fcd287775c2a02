import assert from "node:assert/strict";
import { addMemcachedController } from "../../../operator/memcached/setup";
import { type KubeObject, Manager, createLogger } from "../../../operator/runtime";
import { FaultProxy } from "../runtime/faultProxy";
import { Lab, environment } from "./lab";

interface Deployment extends KubeObject {
  spec: { replicas: number; revisionHistoryLimit: number };
}

describe("a field changed by hand in the moment of a resize", function () {
  this.timeout(60_000);
  let lab: Lab;
  let proxy: FaultProxy;
  const stop = new AbortController();
  let done: Promise<void>;

  before(async () => {
    lab = await Lab.open();
    await lab.stop();
    proxy = await FaultProxy.start(lab.server);
    const log = createLogger({ write: () => undefined });
    const manager = new Manager({ config: proxy.config, name: "memcached-operator", namespaces: [lab.namespace], log });
    addMemcachedController(manager, () => Promise.resolve(environment));
    done = manager.run(stop.signal);
  });
  after(async () => {
    stop.abort();
    await done;
    await proxy.stop();
  });

  it("heals, though the operator has seen it only in the answer to its own write", async () => {
    await lab.create("raced", { size: 1 });
    const path = lab.apps("deployments", "raced");
    const { spec } = await lab.awaits<Deployment>("the Deployment", path, () => true);
    let drifted = false;
    proxy.beforeForward = ({ method, path: asked }) => {
      if (drifted || method !== "PATCH" || asked.split("?")[0] !== path) return undefined;
      drifted = true;
      return lab.patch(path, { spec: { revisionHistoryLimit: 9 } }).then(() => undefined);
    };
    await lab.patch(lab.server.at("v1", "raced"), { spec: { size: 2 } });
    const healed = await lab.awaits<Deployment>(
      "the size and the field to be right",
      path,
      (live) => live.spec.replicas === 2 && live.spec.revisionHistoryLimit === spec.revisionHistoryLimit,
    );
    assert.ok(drifted);
    assert.ok((healed.metadata.generation ?? 0) >= 3);
  });
});
