import assert from "node:assert/strict";
import { defaults, specFields, validateSpec, withDefaults } from "../../../api";

describe("validateSpec", () => {
  for (const spec of [
    undefined,
    null,
    {},
    { size: 3 },
    { size: 0 },
    { size: null },
    { image: null, resources: { limits: { cpu: null } } },
    { image: undefined },
  ]) {
    it(`takes ${JSON.stringify(spec)}`, () => assert.deepEqual(validateSpec(spec), []));
  }

  const refused: [unknown, string][] = [
    [{ size: 101 }, "spec.size must be at most 100, not 101"],
    [{ size: -1 }, "spec.size must be at least 0, not -1"],
    [{ size: "3" }, 'spec.size must be a whole number, not "3"'],
    [{ size: 1.5 }, "spec.size must be a whole number, not 1.5"],
    [{ port: 80 }, "spec.port must be at least 1024, not 80"],
    [{ memory: 64 }, "spec.memory must be a string, not 64"],
    [{ image: "" }, "spec.image must not be empty: give it a value or leave it out"],
    [{ image: "é".repeat(513) }, "spec.image must have at most 512 characters, not 513: shorten it"],
    [{ imagePullSecrets: [{ name: null }] }, "spec.imagePullSecrets[0].name is missing: give it a value"],
    [{ extraArgs: [null] }, "spec.extraArgs[0] must be a string, not null"],
    [{ replica: null }, `spec.replica is not a field: use one of ${specFields.join(", ")}`],
    [{ imagePullPolicy: "always" }, 'spec.imagePullPolicy must be one of Always, IfNotPresent, Never, not "always"'],
    [{ imagePullSecrets: {} }, "spec.imagePullSecrets must be a list, not {}"],
    [{ imagePullSecrets: [{}] }, "spec.imagePullSecrets[0].name is missing: give it a value"],
    [{ imagePullSecrets: [{ name: "a" }, { name: "a" }] }, 'spec.imagePullSecrets[1] repeats {"name":"a"}: remove it'],
    [{ extraArgs: Array(33).fill("-F") }, "spec.extraArgs must have at most 32 items, not 33: remove some"],
    [{ extraArgs: [1] }, "spec.extraArgs[0] must be a string, not 1"],
    [
      { resources: { limits: { cpu: 0.5 } } },
      "spec.resources.limits.cpu must be a whole number or a string such as 500m or 128Mi, not 0.5",
    ],
    [
      { rollout: { maxUnavailable: true } },
      "spec.rollout.maxUnavailable must be a whole number or a string such as 1 or 25%, not true",
    ],
    [{ resources: { cpu: 1 } }, "spec.resources.cpu is not a field: use one of requests, limits"],
    [{ replicas: 3 }, `spec.replicas is not a field: use one of ${specFields.join(", ")}`],
    [[], "spec must be an object, not []"],
    [{ workload: "DaemonSet" }, 'spec.workload must be one of Deployment, StatefulSet, not "DaemonSet"'],
    [
      { service: { type: "Headless" } },
      'spec.service.type must be one of ClusterIP, NodePort, LoadBalancer, not "Headless"',
    ],
    ...["10.0.0.0", "10.0.0.0/33", "::/129", "fe80::1%eth0/64", "10.0.0.0/-1", "a/8", ""].map(
      (range): [unknown, string] => [
        { service: { type: "LoadBalancer", sourceRanges: ["::/0", range] } },
        `spec.service.sourceRanges[1] must be an address range such as 10.0.0.0/8 or 2001:db8::/32, not "${range}"`,
      ],
    ),
    [
      { tolerations: [{ effect: "Never" }] },
      'spec.tolerations[0].effect must be one of NoExecute, NoSchedule, PreferNoSchedule, not "Never"',
    ],
    [
      { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone" }] },
      "spec.topologySpreadConstraints[0].whenUnsatisfiable is missing: give it a value",
    ],
    [
      { topologySpreadConstraints: [{ maxSkew: 0, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway" }] },
      "spec.topologySpreadConstraints[0].maxSkew must be at least 1, not 0",
    ],
    [
      { affinity: { podAntiAffinity: { required: [] } } },
      "spec.affinity.podAntiAffinity.required is not a field: use one of preferredDuringSchedulingIgnoredDuringExecution, requiredDuringSchedulingIgnoredDuringExecution",
    ],
    [{ podLabels: { team: 1 } }, "spec.podLabels.team must be a string, not 1"],
    [
      { podLabels: { team: "a".repeat(64) } },
      "spec.podLabels.team must have at most 63 characters, not 64: shorten it",
    ],
  ];
  for (const [spec, sentence] of refused) {
    it(`refuses ${JSON.stringify(spec)?.slice(0, 60)}`, () => assert.deepEqual(validateSpec(spec), [sentence]));
  }

  it("names everything that is wrong, not only the first", () => {
    assert.equal(validateSpec({ size: -1, port: 1, verbosity: 3 }).length, 3);
    assert.equal(validateSpec({ memory: "x", maxItemSize: "y", extraArgs: ["-d"] }).length, 3);
  });
});

describe("defaults", () => {
  it("are those of the guides and of memcached", () => {
    assert.deepEqual(defaults, {
      imagePullPolicy: "IfNotPresent",
      port: 11211,
      memory: "64Mi",
      connections: 1024,
      threads: 4,
      maxItemSize: "1Mi",
      verbosity: 1,
      workload: "Deployment",
    });
  });

  it("have none for the size: taken out, it would shrink a cache", () => assert.ok(!("size" in defaults)));

  it("fill what is left out or null, and nothing else", () => {
    assert.deepEqual(withDefaults({ size: 0, image: "m" }), { ...defaults, size: 0, image: "m" });
    assert.deepEqual(withDefaults(null), { ...defaults, size: 1 });
  });
});
