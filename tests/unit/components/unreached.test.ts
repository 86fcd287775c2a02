import assert from "node:assert/strict";
import { runtime } from "@pulumi/pulumi";
import { Memcached } from "../../../components";
import { valueOf } from "./record";

describe("a program's tests by mocks", () => {
  it("are asked nothing of a cluster, in a preview neither", async () => {
    const called: string[] = [];
    const mocks: runtime.Mocks = {
      call: ({ token }) => {
        called.push(token);
        return {};
      },
      newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    };
    await runtime.setMocks(mocks, "project", "stack", true);
    const cache = new Memcached("cache", { name: "cache" });
    assert.equal(await valueOf(cache.name), "cache");
    assert.deepEqual(called, []);
  });
});
