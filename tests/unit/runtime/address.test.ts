import assert from "node:assert/strict";
import { parseAddress } from "../../../operator/runtime";

describe("parseAddress", () => {
  const good: [string, object | undefined][] = [
    [":8081", { host: undefined, port: 8081 }],
    ["127.0.0.1:8081", { host: "127.0.0.1", port: 8081 }],
    ["[::]:8443", { host: "::", port: 8443 }],
    ["localhost:0", { host: "localhost", port: 0 }],
    ["0", undefined],
  ];
  for (const [text, expected] of good) {
    it(`reads "${text}"`, () => assert.deepEqual(parseAddress(text), expected));
  }
  for (const text of ["", "8081", "a b:1", "::1:8081", ":http", ":70000", "[::1]"]) {
    it(`refuses "${text}" with the remedy`, () => {
      assert.throws(() => parseAddress(text), /^Error: ".*" is not an address: give HOST:PORT/);
    });
  }
});
