/** Root hooks of every mocha run. */
import type { RootHookObject } from "mocha";
import { cleanUp } from "./cleanup";

export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    await cleanUp();
  },
};
