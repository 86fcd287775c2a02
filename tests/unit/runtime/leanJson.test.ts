import assert from "node:assert/strict";
import fc from "fast-check";
import { parseLean } from "../../../operator/runtime/http/leanJson";

describe("parsing without managedFields", () => {
  const entry = {
    manager: "kubectl",
    operation: "Update",
    fieldsV1: { 'k:{"name":"a"}': { "f:image": {} }, "v:]}": {} },
  };
  const object = (managedFields: unknown, more: object = {}) => ({
    metadata: { name: "a", managedFields, uid: "u", annotations: { note: '"managedFields":[{}]' } },
    ...more,
  });

  it("gives the object without its entries", () => {
    const parsed = parseLean(JSON.stringify(object([entry, entry], { spec: { list: [{ a: [] }] } })));
    assert.deepEqual(parsed, object([], { spec: { list: [{ a: [] }] } }));
  });

  it("gives the whole object where an entry looks like its end", () => {
    const odd = object([{ ...entry, fieldsV1: { "v:}]": {} } }]);
    assert.deepEqual(parseLean(JSON.stringify(odd)), odd);
  });

  it("gives any other JSON as it is", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        assert.deepEqual(parseLean(JSON.stringify(value)), JSON.parse(JSON.stringify(value)));
      }),
    );
    assert.throws(() => parseLean('{"managedFields":[{}], nonsense'), SyntaxError);
  });
});
