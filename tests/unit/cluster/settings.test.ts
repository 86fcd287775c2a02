import assert from "node:assert/strict";
import { addresses, checkName } from "../../../cluster/settings";

/** True when an IPv4 address lies in a network given as A.B.C.D/N. */
function within(address: string, cidr: string): boolean {
  const number = (text: string) => text.split(".").reduce((sum, octet) => sum * 256 + Number(octet), 0);
  const [network = "", bits = ""] = cidr.split("/");
  const size = 2 ** (32 - Number(bits));
  return Math.floor(number(address) / size) === Math.floor(number(network) / size);
}

describe("a cluster's settings", () => {
  it("keep every address in its own network", () => {
    const { all, pods, gateway, services, apiService, dnsService, host, node } = addresses({ subnet: 217 });
    for (const address of [gateway, apiService, dnsService, host, node]) assert.ok(within(address, all), address);
    assert.ok(within(gateway, pods));
    for (const address of [apiService, dnsService]) assert.ok(within(address, services), address);
    for (const address of [host, node, gateway]) assert.ok(!within(address, services), address);
    for (const address of [host, node, apiService]) assert.ok(!within(address, pods), address);
  });

  it("give two clusters nothing in common", () => {
    const values = [addresses({ subnet: 200 }), addresses({ subnet: 201 })].flatMap((a) => Object.values(a));
    assert.equal(new Set(values).size, values.length);
  });

  for (const name of ["", "a", "A1", "1a", "a_b", "a-", "a".repeat(33), "../x"])
    it(`refuse the name ${JSON.stringify(name)}`, () => {
      assert.throws(() => checkName(name), {
        name: "UserError",
        exitCode: 2,
        message: /lower-case letters, digits and dashes/,
      });
    });

  it("take a name of letters, digits and dashes", () => checkName("dev-2"));
});
