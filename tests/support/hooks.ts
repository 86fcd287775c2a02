/** Root hooks of every mocha run: what the tests started together ends with them. */
import type { RootHookObject } from "mocha";

export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    // Loaded here and only here, for unit tests need neither.
    const [{ stopControlPlane }, { stopTestCluster }] = await Promise.all([
      import("./controlPlane"),
      import("./testCluster"),
    ]);
    await stopControlPlane();
    await stopTestCluster();
  },
};
