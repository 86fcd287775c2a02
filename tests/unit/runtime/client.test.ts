import assert from "node:assert/strict";
import { HttpClient } from "../../../operator/runtime";
import type { Call } from "../../../operator/runtime/http/transport";
import { widget, widgets } from "./support/objects";

describe("HttpClient", () => {
  it("kubernetes-client/javascript#2432: gives every call a deadline: 30 s, 60 s for a list, or the caller's", async () => {
    const calls: Call[] = [];
    const json = (call: Call) => {
      calls.push(call);
      const list = { apiVersion: "example.com/v1", kind: "WidgetList", metadata: {}, items: [] };
      return Promise.resolve(call.path.includes("/widgets/") ? widget("a", 1) : list);
    };
    const client = new HttpClient({ json, stream: () => Promise.reject(new Error("not a watch")) });
    const key = { namespace: "ns", name: "a" };
    const object = widget("a", 1);
    await client.get(widgets, key);
    await client.create(widgets, object);
    await client.apply(widgets, object, { fieldManager: "test" });
    await client.patch(widgets, key, {});
    await client.patchStatus(widgets, key, {});
    await client.replace(widgets, object);
    await client.delete(widgets, key);
    assert.deepEqual([...new Set(calls.map((call) => call.timeoutMs))], [30_000]);
    assert.equal(calls.length, 7);
    await client.list(widgets);
    assert.equal(calls.at(-1)?.timeoutMs, 60_000);
    await client.list(widgets, { timeoutMs: 500 });
    await client.get(widgets, key, { timeoutMs: 500 });
    assert.deepEqual(
      calls.slice(-2).map((call) => call.timeoutMs),
      [500, 500],
    );
  });
});
