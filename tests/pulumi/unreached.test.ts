import assert from "node:assert/strict";
import { Memcached, MemcachedOperator } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

/** What anyone's program gets that uses the components, with a provider of its own and with the default one. */
describe("pulumi: a preview whose provider reaches no cluster", function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  const stacks: TestStack[] = [];

  const program: Program = (provider) => {
    const operator = new MemcachedOperator("op", { image: "operator:test" }, { provider });
    new Memcached("own", {}, { provider, dependsOn: operator });
    new Memcached("default", {});
  };

  before(async () => void (plane = await controlPlane()));
  after(() => stacks.forEach((stack) => stack.remove()));

  async function preview(cluster: object): Promise<{ warnings: number; output: string }> {
    const kubeconfig = JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: "nobody's" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    });
    return previewWith(kubeconfig);
  }

  async function previewWith(kubeconfig: string) {
    const stack = await newStack(kubeconfig, program);
    stacks.push(stack);
    const { stdout, stderr, changeSummary } = await stack.previewed();
    assert.deepEqual(changeSummary, { create: 23 });
    const output = stdout + stderr;
    return { warnings: output.split("warning: no cluster was reached").length - 1, output };
  }

  it("pulumi/pulumi-kubernetes#3027, #4049: says so once, for a server that is not there", async () => {
    const { warnings, output } = await preview({ server: "https://127.0.0.1:1" });
    assert.equal(warnings, 1, output);
  });

  it("says so once, for a server that refuses the credentials", async () => {
    const { warnings, output } = await preview({ server: plane.url, "insecure-skip-tls-verify": true });
    assert.equal(warnings, 1, output);
  });

  it("says nothing of a cluster that is reached", async () => {
    const { warnings, output } = await previewWith(plane.kubeconfig);
    assert.equal(warnings, 0, output);
  });
});
