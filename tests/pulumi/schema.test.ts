import assert from "node:assert/strict";
import { join } from "node:path";
import { ComponentProvider } from "@pulumi/pulumi/provider/experimental/provider";
import { Memcached, MemcachedOperator } from "../../components";

interface Property {
  description?: string;
  plain?: boolean;
}
interface Schema {
  resources: Record<
    string,
    { inputProperties: Record<string, Property>; requiredInputs: string[]; properties: Record<string, Property> }
  >;
}

/** What Pulumi infers from the classes for other languages; it refuses unions, private fields and much else. */
describe("pulumi: the inferred schema", function () {
  this.timeout(60_000);
  let schema: Schema;

  before(async () => {
    const root = join(__dirname, "..", "..");
    const options = { dirname: root, name: "memcached", components: [Memcached, MemcachedOperator] };
    schema = JSON.parse(await new ComponentProvider(options).getSchema()) as Schema;
  });

  it("has both components, with these outputs", () => {
    const outputs = Object.entries(schema.resources).map(([token, r]) => [token, Object.keys(r.properties).sort()]);
    assert.deepEqual(Object.fromEntries(outputs), {
      "memcached:index:Memcached": ["host", "name", "namespace", "nodes", "port", "servers"],
      "memcached:index:MemcachedOperator": ["deploymentName", "image", "namespace", "serviceAccountName"],
    });
  });

  it("requires nothing but the operator's image", () => {
    const required = Object.values(schema.resources).map((r) => r.requiredInputs);
    assert.deepEqual(required.flat(), ["image"]);
  });

  it("describes every input and output", () => {
    for (const [token, { inputProperties, properties }] of Object.entries(schema.resources))
      for (const [name, { description }] of [...Object.entries(inputProperties), ...Object.entries(properties)])
        assert.ok(description, `${token}.${name} has no description`);
  });

  it("takes plain values only where they decide which resources there are, or how long they are waited for", () => {
    const plain = Object.values(schema.resources).flatMap((r) =>
      Object.entries(r.inputProperties).flatMap(([name, property]) => (property.plain ? [name] : [])),
    );
    assert.deepEqual([...new Set(plain)].sort(), [
      "createNamespace",
      "installCrds",
      "metrics",
      "namePrefix",
      "proxy",
      "readyTimeout",
      "retainCrds",
      "skipAwait",
      "watchNamespaces",
    ]);
  });
});
