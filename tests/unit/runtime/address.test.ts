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
    it(`reads "${text}"`, () => assert.deepEqual(parseAddress(text, "--flag"), expected));
  }
  for (const text of ["8081", "::1:8081", ":http", ":70000", "[::1]"]) {
    it(`refuses "${text}" with the flag's name and the remedy`, () => {
      assert.throws(() => parseAddress(text, "--flag"), /^Error: --flag: ".+" is not an address; write :PORT/);
    });
  }
});
