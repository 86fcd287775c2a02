import assert from "node:assert/strict";
import { until } from "../../support/until";
import { kubectlOn } from "../api/server";
import { Lab } from "./lab";

describe("the Events of a Memcached", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const described = async (name: string) => (await kubectlOn(lab.server, "describe", "memcached", name)).stdout;
  /** What kubectl describe shows a user, each Event once: type, reason and sentence. */
  const shows = async (name: string, event: RegExp) => {
    let last = "";
    await until(`kubectl describe to show ${event}`, 15_000, async () =>
      event.test((last = (await described(name)).replace(/ +/g, " "))),
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${last}`);
    });
  };

  it("kubectl describe tells of the children made, scaled, restored, and of the workload's change", async () => {
    await lab.create("told", { size: 1 });
    await shows("told", /Normal SuccessfulCreate .* Created Deployment told/);
    await shows("told", /Normal SuccessfulCreate .* Created Service told/);
    await lab.becomesReady("told", 1);
    await lab.patch(`${lab.server.at("v1", "told")}/scale`, { spec: { replicas: 2 } });
    await shows("told", /Normal Scaled .* Scaled Deployment told from 1 to 2/);
    await lab.patch(lab.core("services", "told"), { spec: { selector: { "app.kubernetes.io/instance": "other" } } });
    await shows(
      "told",
      /Normal Restored .* Restored Service told: someone had changed fields that the operator manages/,
    );
    await lab.makeReady("told", 2);
    await lab.patch(lab.server.at("v1", "told"), { spec: { workload: "StatefulSet" } });
    await shows("told", /Normal SuccessfulCreate .* Created StatefulSet told/);
    await lab.makeReady("told", 4);
    await shows("told", /Normal SuccessfulDelete .* Deleted Deployment told, replaced by the StatefulSet/);
    const warnings = (await described("told")).split("\n").filter((line) => /^ +Warning/.test(line));
    assert.deepEqual(warnings, []);
  });

  it("humio/humio-operator#246: pods that are replaced by an upgrade of the operator are told with the reason", async () => {
    await lab.create("default-image", { size: 0 });
    await lab.create("own-image", { size: 0, image: "example.com/mine:1" });
    for (const name of ["default-image", "own-image"]) await lab.awaitCondition(name, "Ready", "True");
    await lab.stop();
    await lab.start({ image: "example.com/memcached:2" });
    const told =
      /Updated Deployment default-image, which replaces its pods: the operator's default image changed from example.com\/memcached:1 to example.com\/memcached:2/;
    await shows("default-image", told);
    assert.ok(lab.log.some(({ msg }) => told.test(String(msg))));
    assert.doesNotMatch(await described("own-image"), /Updated/);
    await lab.stop();
    await lab.start({ image: "example.com/memcached:2", fixedUser: false });
    for (const name of ["default-image", "own-image"])
      await shows(
        name,
        /which replaces its pods: this version of the operator creates different pods \(securityContext\)/,
      );
  });

  it("are few when many resources are made at once, for each is a write more", async () => {
    const begun = performance.now();
    await Promise.all(Array.from({ length: 80 }, (_, i) => lab.create(`many${i}`, { size: 0 })));
    for (let i = 0; i < 80; i++) await lab.awaitCondition(`many${i}`, "Ready", "True");
    const seconds = Math.ceil((performance.now() - begun) / 1_000);
    const events = lab.requests().filter(({ resource }) => resource === "events");
    assert.ok(events.length >= 10 && events.length <= 20 + seconds, `${events.length} Events in ${seconds} s`);
  });
});
