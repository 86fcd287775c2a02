import assert from "node:assert/strict";
import { deprecatedSizeRule } from "../../../api";
import { dryRun, mergePatch, type Server, serverWithCrd } from "./server";

describe("v1alpha1", function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await serverWithCrd()));

  const scale = (name: string, replicas: number) =>
    server.ask("PATCH", `${server.at("v1alpha1", name)}/scale`, { spec: { replicas } }, mergePatch);

  it("takes 1 to 3 servers, and says what to do for more", async () => {
    for (const size of [1, 2, 3]) assert.equal((await server.create("v1alpha1", "t", { size })).code, 201);
    for (const size of [0, 4]) {
      const { code, body } = await server.create("v1alpha1", "t", { size });
      assert.equal(code, 422);
      assert.ok(body.message?.includes(deprecatedSizeRule.message), body.message);
    }
  });

  it("has the defaults of v1, and gives what v1 gave", async () => {
    const [old, now] = await Promise.all(["v1alpha1", "v1"].map((version) => server.create(version, "t", {})));
    assert.deepEqual(old?.body.spec, now?.body.spec);
    assert.equal(now?.body.spec?.memory, "64Mi");
  });

  describe("on an object of 5 servers made through v1", () => {
    const name = "five";
    before(async () => {
      assert.equal((await server.create("v1", name, { size: 5 }, "")).code, 201);
    });

    it("takes labels", async () => {
      const labels = { team: "checkout" };
      const { code, body } = await server.ask(
        "PATCH",
        server.at("v1alpha1", name),
        { metadata: { labels } },
        mergePatch,
      );
      assert.equal(code, 200, body.message);
      assert.deepEqual(body.metadata?.labels, labels);
    });

    it("takes a replacement of the whole object", async () => {
      const { body } = await server.ask("GET", server.at("v1alpha1", name));
      const spec = { ...body.spec, verbosity: 2 };
      const answer = await server.ask("PUT", server.at("v1alpha1", name), { ...body, spec });
      assert.equal(answer.code, 200, answer.body.message);
    });

    it("takes status", async () => {
      const status = { observedGeneration: 1, replicas: 5, readyReplicas: 4, selector: "a=b", conditions: [] };
      const path = `${server.at("v1alpha1", name)}/status`;
      const { code, body } = await server.ask("PATCH", path, { status }, mergePatch);
      assert.equal(code, 200, body.message);
      assert.deepEqual(body.status, status);
    });

    it("takes scale, up and down", async () => {
      for (const replicas of [5, 6, 4]) {
        const { code, body } = await scale(name, replicas);
        assert.equal(code, 200, body.message);
        assert.equal(body.spec?.replicas, replicas);
      }
    });

    it("keeps the bounds that v1 has", async () => {
      assert.equal((await scale(name, 101)).code, 422);
    });
  });

  it("does not scale an object of its own past 3", async () => {
    assert.equal((await server.create("v1alpha1", "two", { size: 2 }, "")).code, 201);
    assert.equal((await scale("two", 3)).code, 200);
    const { code, body } = await scale("two", 4);
    assert.equal(code, 422);
    assert.ok(body.message?.includes(deprecatedSizeRule.message), body.message);
  });

  it("refuses unknown fields as v1 does", async () => {
    for (const version of ["v1", "v1alpha1"]) {
      const { code, body } = await server.create(version, "t", { replicas: 2 }, dryRun);
      assert.equal(code, 400);
      assert.match(body.message ?? "", /unknown field "spec.replicas"/);
    }
  });
});
