import assert from "node:assert/strict";
import { MemcachedOperator } from "../../components";
import type { MemcachedOperatorArgs } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { liveObjects } from "./support/objects";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

const installArgs: MemcachedOperatorArgs = {
  image: "operator:1",
  namePrefix: "owned-",
  namespace: "owned",
  replicas: 0,
  skipAwait: true,
};

/** What a provider before 4.29 does, which makes what is there its own. */
describe("pulumi: an operator belongs to one stack", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let first: TestStack;
  const others: TestStack[] = [];

  const install =
    (args: Partial<MemcachedOperatorArgs> = {}, name = "op"): Program =>
    (provider) => {
      new MemcachedOperator(name, { ...installArgs, ...args }, { provider });
    };
  /** What the first stack made, with its versions. */
  const versions = async () =>
    Object.entries(await liveObjects(plane, first)).map(
      ([title, { metadata }]) => `${title} ${metadata.resourceVersion}`,
    );
  async function another(stackName: string): Promise<TestStack> {
    const stack = await newStack(plane.kubeconfig, install(), stackName);
    others.push(stack);
    return stack;
  }
  const refusal =
    /conflicts with "MemcachedOperator op of stack organization\/test\/test":\s+- \.metadata\.annotations\.cache\.example\.com\/installed-by/;

  before(async () => {
    plane = await controlPlane();
    first = await newStack(plane.kubeconfig, install());
    await first.up();
  });
  after(async () => {
    await first.destroy();
    [first, ...others].forEach((stack) => stack.remove());
  });

  it("refuses a second stack under its names, and says whose they are", async () => {
    const before = await versions();
    const elsewhere = await newNamespace(plane, "elsewhere");
    const second = await another("second");
    const attempts: Partial<MemcachedOperatorArgs>[] = [
      { image: "operator:2" },
      { namespace: elsewhere, createNamespace: false, watchNamespaces: [elsewhere] },
      { namePrefix: "another-" },
    ];
    for (const args of attempts) {
      await assert.rejects(second.up(install(args)), refusal);
      assert.deepEqual(await versions(), before);
    }
    await second.destroy();
    assert.deepEqual(await versions(), before);
    await first.noChanges();
  });

  it("refuses a second operator of the same program under its names", async () => {
    const before = await versions();
    const both: Program = (provider) =>
      [install(), install({ image: "operator:2" }, "twin")].forEach((one) => one(provider));
    await assert.rejects(first.up(both), refusal);
    assert.deepEqual(await versions(), before);
    await first.up(install());
    assert.deepEqual(await versions(), before);
  });

  it("lets its own stack go on that was killed before it could write down what it had made", async () => {
    const again = await another("test");
    await again.up();
    await again.noChanges();
    await first.noChanges();
  });

  it("pulumi/pulumi-kubernetes#2926: goes by another name with an alias, and refuses it without one", async () => {
    const before = await versions();
    await assert.rejects(first.up(install({}, "renamed")), refusal);
    await first.up(install());
    assert.deepEqual(await versions(), before);
    const { summary } = await first.up((provider) => {
      new MemcachedOperator("renamed", installArgs, { provider, aliases: [{ name: "op" }] });
    });
    assert.deepEqual(Object.keys(summary.resourceChanges!).sort(), ["same", "update"]);
    await first.noChanges();
  });

  it("hands everything over with patchForce, to a stack that then is the owner", async () => {
    const second = await another("second");
    await second.up(install({ patchForce: true }));
    await second.noChanges();
    const next = install({ labels: { team: "a" } }, "renamed");
    await assert.rejects(first.up(next), /conflicts? with "MemcachedOperator op of stack organization\/test\/second"/);
  });
});
