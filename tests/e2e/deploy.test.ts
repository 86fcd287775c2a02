import assert from "node:assert/strict";
import { join } from "node:path";
import { repositoryRoot } from "../../cluster/paths";
import { tryRun } from "../../cluster/run";
import { testCluster, type TestCluster } from "../support/testCluster";

describe("npm run deploy", function () {
  this.timeout(120_000);
  let cluster: TestCluster;

  const script = (name: string, ...args: string[]) =>
    tryRun("node", ["--require", "tsx/cjs", join("scripts", `${name}.ts`), ...args], {
      cwd: repositoryRoot,
      env: { ...process.env, KUBECONFIG: cluster.kubeconfig },
    });

  before(async () => (cluster = await testCluster()));
  after(() => script("undeploy"));

  it("fails with the cluster's own words when the image is nowhere", async () => {
    const { code, stderr } = await script("deploy", "localhost/nowhere:1");
    assert.equal(code, 1, stderr);
    assert.match(
      stderr,
      /^the operator does not run: pod \S+, container manager: (ErrImagePull|ImagePullBackOff): .*localhost\/nowhere:1/m,
    );
    assert.match(stderr, /Remedy: build the image with "npm run image/);
  });

  it("returns when the operator runs, also in the place of one that does not", async () => {
    const { code, stderr } = await script("deploy", cluster.images.operator);
    assert.equal(code, 0, stderr);
    const deployment = ["deployment/memcached-operator-controller-manager", "-n", "memcached-operator-system"];
    const ready = await cluster.kubectlRun([
      "get",
      ...deployment,
      "-o=jsonpath={.status.readyReplicas}/{.status.replicas}",
    ]);
    assert.equal(ready, "1/1");
  });
});
