/** Root hooks of every mocha run: what the tests started together ends with them. */
import type { RootHookObject } from "mocha";
import { stopControlPlane } from "./controlPlane";

export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(30_000);
    await stopControlPlane();
  },
};
