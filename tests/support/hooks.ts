/** Root hooks of every mocha run. */
import type { RootHookObject } from "mocha";
import { cleanUp } from "./cleanup";

// API servers, engines and providers are given memory for time: with Go's own 100 a quarter of their CPU is the collector's.
process.env.GOGC ??= "400";

export const mochaHooks: RootHookObject = {
  async afterAll(this: Mocha.Context) {
    this.timeout(60_000);
    await cleanUp();
  },
};
