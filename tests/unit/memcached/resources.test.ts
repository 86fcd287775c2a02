import assert from "node:assert/strict";
import { type MemcachedSpec, withDefaults } from "../../../api";
import { requirements } from "../../../operator/memcached/fields/resources";

const of = (given: MemcachedSpec["resources"], more: MemcachedSpec = {}) =>
  requirements(withDefaults({ ...more, resources: given }));

describe("resources of a server's container", () => {
  const derived = { cpu: "100m", memory: "155Mi" };
  const { memory } = derived;

  const cases: [string, MemcachedSpec["resources"], object][] = [
    ["nothing", undefined, { requests: derived, limits: { memory } }],
    ["empty maps", { requests: {}, limits: {} }, { requests: derived, limits: { memory } }],
    [
      "red-hat-storage/ocs-operator#3453: a CPU request replaces only that of 100m",
      { requests: { cpu: "500m" } },
      { requests: { cpu: "500m", memory }, limits: { memory } },
    ],
    [
      "kubernetes/kubernetes#51430: a CPU limit leaves memory derived, and asks for as much CPU",
      { limits: { cpu: "200m" } },
      { requests: { memory }, limits: { cpu: "200m", memory } },
    ],
    ["a CPU limit below 100m", { limits: { cpu: "50m" } }, { requests: { memory }, limits: { cpu: "50m", memory } }],
    [
      "ephemeral storage beside what is derived",
      { limits: { "ephemeral-storage": "1Gi" } },
      { requests: derived, limits: { "ephemeral-storage": "1Gi", memory } },
    ],
    ["a memory limit alone", { limits: { memory: "1Gi" } }, { requests: { cpu: "100m" }, limits: { memory: "1Gi" } }],
    [
      "a memory request below the derived limit",
      { requests: { memory: "96Mi" } },
      { requests: { cpu: "100m", memory: "96Mi" }, limits: { memory } },
    ],
    [
      "a memory request above the derived limit",
      { requests: { memory: 2 ** 30 } },
      { requests: { cpu: "100m", memory: 2 ** 30 }, limits: { memory: 2 ** 30 } },
    ],
    [
      "both of memory",
      { requests: { cpu: 1, memory: "96Mi" }, limits: { memory: "1Gi", cpu: 2 } },
      { requests: { cpu: 1, memory: "96Mi" }, limits: { memory: "1Gi", cpu: 2 } },
    ],
  ];
  for (const [given, spec, expected] of cases) it(given, () => assert.deepEqual(of(spec), expected));

  it("are derived from the other fields, whatever else is given", () => {
    assert.equal(of({ requests: { cpu: "500m" } }, { memory: "1Gi" }).limits?.memory, "1275Mi");
    assert.equal(of({}, { memory: "1Gi", tls: { secretName: "tls" } }).limits?.memory, "1316Mi");
  });
});
