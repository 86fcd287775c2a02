import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageSchema } from "../../scripts/generate/schema";

interface Property {
  description?: string;
  plain?: boolean;
  type?: string;
  $ref?: string;
}
interface Schema {
  resources: Record<
    string,
    {
      isComponent: boolean;
      description: string;
      inputProperties: Record<string, Property>;
      requiredInputs: string[];
      properties: Record<string, Property>;
    }
  >;
  types: Record<string, { enum?: { value: string }[]; properties?: Record<string, Property> }>;
  dependencies: unknown[];
}

/** What other languages see. Pulumi's inference refuses unions, private fields and much else: then this fails, too. */
describe("pulumi: the frozen schema", function () {
  this.timeout(60_000);
  const text = readFileSync(join(__dirname, "..", "..", "schema.json"), "utf8");
  const schema = JSON.parse(text) as Schema;
  const components = Object.entries(schema.resources);

  it("is what the components are now", () => assert.equal(packageSchema(), text));

  it("has both components, with these outputs", () => {
    const outputs = components.map(([token, r]) => [token, Object.keys(r.properties).sort()]);
    assert.deepEqual(Object.fromEntries(outputs), {
      "memcached:index:Memcached": ["host", "name", "namespace", "nodes", "port", "servers"],
      "memcached:index:MemcachedOperator": ["deploymentName", "image", "namespace", "serviceAccountName"],
    });
    assert.ok(components.every(([, { isComponent }]) => isComponent));
  });

  it("requires nothing but the operator's image", () => {
    assert.deepEqual(
      components.flatMap(([, r]) => r.requiredInputs),
      ["image"],
    );
  });

  it("describes every component, input and output", () => {
    for (const [token, { description, inputProperties, properties }] of components) {
      assert.ok(description, `${token} has no description`);
      for (const [name, property] of [...Object.entries(inputProperties), ...Object.entries(properties)])
        assert.ok(property.description, `${token}.${name} has no description`);
    }
  });

  it("takes plain values only where they decide which resources there are, or how Pulumi makes and awaits them", () => {
    const plain = components.flatMap(([, r]) =>
      Object.entries(r.inputProperties).flatMap(([name, property]) => (property.plain ? [name] : [])),
    );
    assert.deepEqual([...new Set(plain)].sort(), [
      "createNamespace",
      "installCrds",
      "metrics",
      "namePrefix",
      "patchForce",
      "proxy",
      "readyTimeout",
      "retainCrds",
      "secretAccess",
      "skipAwait",
      "watchNamespaces",
    ]);
  });

  it("stands alone, and has names that no language makes clumsy", () => {
    assert.deepEqual(schema.dependencies, []);
    const names = Object.keys(schema.types).map((token) => token.split(":").at(-1)!);
    assert.deepEqual(
      names.filter((name) => !/^[A-Z][A-Za-z]+$/.test(name) || name.endsWith("Args")),
      [],
    );
    const refs = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map(([, ref]) => ref!);
    assert.ok(refs.length > 0);
    // What may be a number or a string is Pulumi's own type for anything.
    const own = refs.filter((ref) => ref !== "pulumi.json#/Any");
    for (const ref of own) assert.ok(ref.replace("#/types/", "") in schema.types, `${ref} leads nowhere`);
  });
});
