import assert from "node:assert/strict";
import { run } from "../../../cluster/run";
import { ensureTools } from "../../../cluster/toolCache";
import type { KubeObject } from "../../../operator/runtime";
import { Lab } from "../memcached/lab";
import { kubectlOn } from "./server";

describe("a Memcached that no operator has seen", function () {
  this.timeout(600_000);
  let lab: Lab;
  let kstatus: string;
  before(async () => {
    kstatus = (await ensureTools(["kstatus"])).kstatus;
    lab = await Lab.open();
    await lab.stop();
  });
  after(() => lab?.stop());

  /** What kstatus, in its own code, makes of an object. */
  const verdict = async (object: unknown) =>
    (await run(kstatus, [], { input: JSON.stringify([object]) })).split("\t")[0];
  const read = async (version: string, name: string) => (await lab.get(lab.server.at(version, name)))!;

  it("fluxcd/kustomize-controller#387, strimzi/strimzi-kafka-operator#9278: is ready for no one, until it is", async () => {
    const created = await lab.create("unseen", { size: 1 });
    for (const object of [created, await read("v1", "unseen"), await read("v1alpha1", "unseen")]) {
      const { status } = object as KubeObject & { status?: { conditions?: { type: string; status: string }[] } };
      const said = status?.conditions?.map(({ type, status }) => `${type} ${status}`);
      assert.deepEqual(said, ["Available Unknown", "Ready Unknown"]);
      assert.equal(await verdict(object), "InProgress");
    }
    const wide = await kubectlOn(lab.server, "get", "mc", "unseen", "-o", "wide");
    assert.match(wide.stdout, /Unknown .*The operator has not processed this Memcached yet/);
    const waiting = kubectlOn(lab.server, "wait", "--for=condition=Ready", "memcached/unseen", "--timeout=1s");
    await assert.rejects(waiting, /timed out waiting for the condition/);

    await lab.start();
    const begun = Date.now();
    await lab.awaitCondition("unseen", "Available", "False", "ServersUnavailable");
    assert.equal(await verdict(await read("v1", "unseen")), "InProgress");
    const { conditions = [] } = await lab.status("unseen");
    assert.equal(conditions.length, 4);
    for (const { type, lastTransitionTime } of conditions)
      assert.ok(Date.parse(lastTransitionTime) > begun - 5_000, `${type} has changed at ${lastTransitionTime}`);
    const writes = lab.requests().filter(({ subresource, name }) => subresource === "status" && name === "unseen");
    assert.equal(writes.length, 1, "the default costs no write");
    await lab.becomesReady("unseen", 1);
    assert.equal(await verdict(await read("v1", "unseen")), "Current");

    await lab.stop();
    await lab.patch(lab.server.at("v1", "unseen"), { spec: { memory: "128Mi" } });
    assert.equal(await verdict(await read("v1", "unseen")), "InProgress", "a change that no operator has seen");
  });
});
