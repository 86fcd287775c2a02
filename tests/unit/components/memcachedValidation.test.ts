import assert from "node:assert/strict";
import fc from "fast-check";
import { output, runtime } from "@pulumi/pulumi";
import { validateName, validateSpec } from "../../../api";
import { Memcached } from "../../../components";
import { checkedSpec } from "../../../components/memcachedValidation";
import { record, unknown, valueOf } from "./record";

/** What the construction says when it refuses, and that it registered nothing. */
async function refusal(name: string, args: object): Promise<string> {
  const { result, registrations } = await record((opts) => {
    try {
      new Memcached(name, args, opts);
      return "not refused";
    } catch (error) {
      return (error as Error).message;
    }
  });
  if (result !== "not refused") assert.deepEqual(registrations, [], "something was registered before the refusal");
  return result;
}

describe("Memcached validation", () => {
  const cases: [what: string, args: object, says: RegExp][] = [
    [
      "a size above the bound",
      { size: 101 },
      /^Memcached "cache" is refused: spec\.size must be at most 100, not 101$/,
    ],
    ["a size that is no number", { size: "3" }, /spec\.size must be a whole number, not "3"$/],
    [
      "a field that is misspelt",
      { memroy: "64Mi" },
      /memroy: unknown argument; use one of name, namespace, .*skipAwait, patchForce, size, image/,
    ],
    ["memory without a unit", { memory: "lots" }, /spec\.memory .*64Mi.*\(memory is "lots"\)/],
    ["items larger than half the memory", { memory: "64Mi", maxItemSize: "40Mi" }, /maxItemSize is "40Mi", memory is/],
    ["a flag that the operator owns", { extraArgs: ["-p11212"] }, /spec\.extraArgs .*extraArgs is \["-p11212"\]/],
    ["a name that is no DNS label", { name: "My_Cache" }, /metadata\.name must have at most 52/],
    ["a namespace that is none", { namespace: "Shop" }, /namespace is "Shop": give a DNS label/],
    ["a timeout without sense", { readyTimeout: "soon" }, /readyTimeout is "soon": give a duration such as "90s"/],
    ["no time at all", { readyTimeout: "0s" }, /readyTimeout is "0s"/],
    ["a flag that is text", { skipAwait: "yes" }, /skipAwait is "yes": give true or false/],
    ["labels that are no strings", { labels: { a: 1 } }, /labels\["a"\] is 1: give a string/],
    ["args that are no object", ["x"] as object, /args is \["x"\]: give an object/],
  ];
  for (const [what, args, says] of cases)
    it(`refuses ${what}`, async () => {
      assert.match(await refusal("cache", args), says);
    });

  it("names everything that is wrong at once", async () => {
    const said = await refusal("cache", { size: -1, namespace: "A", readyTimeout: "x" });
    for (const part of ["spec.size", "namespace is", "readyTimeout is"]) assert.ok(said.includes(part), said);
  });

  it("refuses a Pulumi name that cannot become a resource's name", async () => {
    assert.match(await refusal("My Cache", {}), /would be "My Cache-" and eight characters.*give args\.name/);
    assert.match(await refusal("c".repeat(44), {}), /at most 52 characters/);
    assert.equal(await refusal("My Cache", { name: "my-cache" }), "not refused");
  });

  it("refuses what is known while other fields are not", async () => {
    assert.match(await refusal("cache", { size: 500, image: unknown() }), /spec\.size must be at most 100, not 500/);
    // Half of a memory that is still unknown may well be 40Mi.
    assert.equal(await refusal("cache", { maxItemSize: "40Mi", memory: unknown() }), "not refused");
  });

  it("refuses values that come late, in the same words", async () => {
    await runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
    const spec = checkedSpec("cache", { size: output(101), memory: "64Mi" });
    assert.equal(spec.memory, "64Mi");
    await assert.rejects(valueOf(spec.size as never), /Memcached "cache" is refused: spec\.size .*not 101/);
  });

  it("refuses null that comes late", async () => {
    await runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
    const spec = checkedSpec("cache", { port: output(null) });
    await assert.rejects(valueOf(spec.port as never), /Memcached "cache" is refused: port is null: leave it out/);
  });

  it("agrees with the API on every known spec and name", async () => {
    const spec = fc.record(
      {
        size: fc.integer({ min: -2, max: 110 }),
        threads: fc.integer({ min: 0, max: 130 }),
        connections: fc.integer({ min: 0, max: 2000 }),
        memory: fc.constantFrom("64Mi", "1Gi", "100", "7Mi", ""),
        maxItemSize: fc.constantFrom("1Mi", "512Ki", "40Mi", "1"),
      },
      { requiredKeys: [] },
    );
    const name = fc.constantFrom("a", "a-b", "A", "1a", "a".repeat(52), "a".repeat(53));
    await fc.assert(
      fc.asyncProperty(spec, name, async (given, called) => {
        const refused = (await refusal("cache", { ...given, name: called })) !== "not refused";
        assert.equal(refused, validateSpec(given).length + validateName(called).length > 0);
      }),
      { numRuns: 60 },
    );
  });
});
