import assert from "node:assert/strict";
import { memcachedCrd } from "../../../api";

type Schema = Record<string, unknown> & {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
};

interface Version {
  name: string;
  storage: boolean;
  deprecationWarning?: string;
  schema: { openAPIV3Schema: Schema };
}

const versions = memcachedCrd().spec.versions as Version[];

function* walk(path: string, schema: Schema): Generator<[string, Schema]> {
  yield [path, schema];
  for (const [name, inner] of Object.entries(schema.properties ?? {})) yield* walk(`${path}.${name}`, inner);
  if (schema.items) yield* walk(`${path}[]`, schema.items);
  if (schema.additionalProperties) yield* walk(`${path}[key]`, schema.additionalProperties);
}

describe("the CustomResourceDefinition", () => {
  it("stays under 200 KB", () => assert.ok(JSON.stringify(memcachedCrd()).length < 200_000));

  for (const { name, schema } of versions) {
    it(`${name} bounds every string, list and map, and describes every field`, () => {
      const unbounded = [...walk("", schema.openAPIV3Schema)].filter(
        ([, s]) =>
          (s.type === "string" && s.maxLength === undefined) ||
          (s.type === "array" && (s.maxItems === undefined || !s["x-kubernetes-list-type"])) ||
          (s.additionalProperties && s.maxProperties === undefined),
      );
      assert.deepEqual(unbounded, []);
      // What is below a part of a pod is described where pods are.
      const ofPods = /^\.spec\.(affinity|tolerations|topologySpreadConstraints)\b./;
      const fields = [...walk("", schema.openAPIV3Schema)].filter(
        ([path]) => /^\.(spec|status)\.[^[]*$/.test(path) && !ofPods.test(path),
      );
      assert.ok(fields.length > 15);
      for (const [path, { description }] of fields) assert.match(String(description), /\.$/, path);
    });

    it(`${name} tells the bounds it keeps`, () => {
      const { size, port, connections, threads } = schema.openAPIV3Schema.properties!.spec!.properties!;
      const bounded = name === "v1" ? [size, port, connections, threads] : [port, connections, threads];
      for (const field of bounded) {
        assert.ok(String(field!.description).includes(`${String(field!.minimum)} to ${String(field!.maximum)}`));
      }
    });

    it(`${name} holds nothing that only the generators read`, () => {
      assert.doesNotMatch(JSON.stringify(schema), /"(examples|componentNote|kubernetesType)"/);
    });
  }

  it("has one shape in both versions, so that no conversion is needed", () => {
    const [v1, v1alpha1] = versions.map(({ schema }) =>
      [...walk("", schema.openAPIV3Schema)].map(([path, s]) => [path, s.type, s.default, s.maximum, s.minimum]),
    );
    assert.deepEqual(v1alpha1, v1);
  });

  it("stores v1 alone, and warns of v1alpha1 with v1's name", () => {
    assert.deepEqual(
      versions.map(({ name, storage }) => [name, storage]),
      [
        ["v1", true],
        ["v1alpha1", false],
      ],
    );
    assert.match(versions[1]!.deprecationWarning!, /use cache\.example\.com\/v1$/);
    assert.equal(versions[0]!.deprecationWarning, undefined);
  });
});
