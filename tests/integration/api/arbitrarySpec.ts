import fc from "fast-check";
import { anyArgs } from "./arbitraryArgs";

type Arbitrary = fc.Arbitrary<unknown>;

const anything = fc.constantFrom<unknown>(null, true, "", "x", -1, 0, 1.5, 1e12, [], [null], {}, { a: 1 });

const suffix = fc.constantFrom(..."k M G T Ki Mi Gi Ti m u E Pi e3 E2 ki B".split(" "), "");
const numberText = fc.oneof(
  fc.nat(10_000).map(String),
  fc.tuple(fc.nat(99), fc.constantFrom("0", "5", "25", "125", "0001", "")).map((parts) => parts.join(".")),
  fc.constantFrom("", "-", "-1", "+2", ".5", "9999999999999999", "1.2.3"),
);
const quantity = fc.tuple(numberText, suffix).map((parts) => parts.join(""));

const memory = fc.oneof(
  fc.integer({ min: 64, max: 4096 }).map((n) => `${n}Mi`),
  fc.integer({ min: 1, max: 4096 }).map((n) => `${n}Gi`),
  fc.integer({ min: 8, max: 64 }).map((n) => `${n / 8}Gi`),
  fc.integer({ min: 64, max: 128 }).map((n) => `${n * 1024}Ki`),
  fc.integer({ min: 64, max: 4096 }).map((n) => `${n * 2 ** 20}`),
);
const maxItemSize = fc.oneof(
  fc.integer({ min: 1, max: 64 }).map((n) => `${n * 512}Ki`),
  fc.integer({ min: 1, max: 64 }).map((n) => `${n / 2}Mi`),
);

const goodArgs = fc
  .array(
    fc.constantFrom(
      ...[
        "-o modern",
        "-o modern,hashpower=20",
        "-F",
        "-XC",
        "--disable-cas",
        "-b 100",
        "--listen-backlog=1",
        "-",
        "--",
      ],
      ...["-D é", "-f 1.1", "-Af1.1", "-o slab_sizes=100-200", "-o hot_lru_pct=10,warm_lru_pct=50", "word"],
    ),
    { maxLength: 3 },
  )
  .map((parts) => parts.flatMap((part) => part.split(" ")));
const badWord = fc.oneof(
  fc.constantFrom(..."-p -Ap1 -vp --port=1 --po -d --u -c9 --memory -VV --=".split(" "), "-o modern"),
  fc.string({ maxLength: 6, unit: fc.constantFrom(..."-=pmctIvdulshiVAFo \t\n1") }),
  fc.string({ maxLength: 12, unit: "binary" }),
);

const goodSecrets = fc.uniqueArray(fc.constantFrom("a", "b", "registry.example"), { maxLength: 3 });
const badSecret = fc.constantFrom<unknown>(
  ...["A", "", "a.", "-a", "a..b", "a".repeat(254)].map((name) => ({ name })),
  ...[{}, null, { name: "a", key: "b" }, "a"],
);

const goodAmounts = (cpu: number, mebibytes: number) =>
  fc.record({ cpu: fc.constantFrom<unknown>(cpu, `${cpu}`, `${cpu * 1000}m`), memory: fc.constant(`${mebibytes}Mi`) });
const badAmounts = fc.dictionary(
  fc.constantFrom("cpu", "memory", "ephemeral-storage", "gpu", ""),
  fc.oneof(quantity, fc.nat(2 ** 31), anything),
  { maxKeys: 3 },
);

const goodKey = fc.constantFrom("team", "example.com/team", "Team_2.x", "node.example.com/pool");
const badKey = fc.oneof(
  fc.constantFrom("", "-a", "a/b/c", "A.b/c", "a".repeat(64), "app.kubernetes.io/name", "pod-template-hash"),
  fc.constantFrom("cache.example.com/x", `${"a.".repeat(126)}aa/b`, `${"a.".repeat(126)}a/b`),
  fc.string({ maxLength: 6, unit: fc.constantFrom(..."aB1-_./ \n") }),
);
const goodValue = fc.constantFrom("", "a", "Check_out.2", "b".repeat(63));
const badValue = fc.oneof(
  fc.string({ maxLength: 4, unit: fc.constantFrom(..."aB1-_. é\n") }),
  fc.constantFrom<unknown>(null, 1, "b".repeat(64), {}),
);
const goodMap = fc.dictionary(goodKey, goodValue, { maxKeys: 3 });
const badMap = fc.oneof(
  fc.dictionary(fc.oneof(goodKey, badKey), fc.oneof(goodValue, badValue), { maxKeys: 3 }),
  fc.constant(Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`k${i}`, ""]))),
);

const selector = fc.record(
  {
    matchLabels: fc.constant({ team: "a" }),
    matchExpressions: fc.constant([{ key: "team", operator: "In", values: ["a"] }]),
  },
  { requiredKeys: [] },
);
const constraintOf = (whenUnsatisfiable: string, matchLabelKeys: Arbitrary, more: Record<string, Arbitrary>) =>
  fc.record(
    {
      maxSkew: fc.integer({ min: 1, max: 5 }),
      topologyKey: fc.constantFrom("zone", "kubernetes.io/hostname"),
      whenUnsatisfiable: fc.constant(whenUnsatisfiable),
      labelSelector: selector,
      matchLabelKeys,
      ...more,
    },
    { requiredKeys: ["maxSkew", "topologyKey", "whenUnsatisfiable"] },
  );
const minDomains = fc.integer({ min: 1, max: 3 });
const goodKeys = fc.array(goodKey, { maxLength: 2 });
const goodConstraint = fc.oneof(
  constraintOf("DoNotSchedule", goodKeys, { minDomains }),
  constraintOf("ScheduleAnyway", goodKeys, {}),
);
const constraintId = (of: { topologyKey: string; whenUnsatisfiable: string }) =>
  `${of.topologyKey} ${of.whenUnsatisfiable}`;
const goodConstraints = fc.uniqueArray(goodConstraint, { selector: constraintId, maxLength: 3 });
const badConstraints = fc.oneof(
  fc.array(goodConstraint, { minLength: 2, maxLength: 4 }),
  constraintOf("ScheduleAnyway", fc.array(badKey, { maxLength: 2 }), { minDomains }).map((each) => [each]),
  fc.constantFrom<unknown>(
    ...[{ maxSkew: 0 }, { topologyKey: "" }, { whenUnsatisfiable: "Never" }, { minDomains: 0 }, { maxSkews: 1 }].map(
      (wrong) => [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", ...wrong }],
    ),
  ),
);
const taintKey = fc.constantFrom("dedicated", "a/b");
const effect = fc.constantFrom("NoExecute", "NoSchedule", "PreferNoSchedule");
const goodTolerations = fc.array(
  fc.oneof(
    fc.record(
      {
        key: taintKey,
        operator: fc.constant("Equal"),
        value: fc.constantFrom("", "cache"),
        effect: fc.constant("NoExecute"),
        tolerationSeconds: fc.integer({ min: -1, max: 3600 }),
      },
      { requiredKeys: ["key", "effect"] },
    ),
    fc.record(
      { key: taintKey, operator: fc.constant("Exists"), value: fc.constant(""), effect },
      { requiredKeys: ["operator"] },
    ),
  ),
  { maxLength: 3 },
);
const badTolerations = fc.oneof(
  fc.constantFrom<unknown>(
    [{ operator: "Is" }],
    [{ effect: "noschedule" }],
    [{ key: 1 }],
    [{ keys: "a" }],
    [null],
    Array(33).fill({}),
  ),
  fc.array(
    fc.record(
      {
        key: fc.oneof(taintKey, badKey, fc.constant(null)),
        operator: fc.constantFrom("Equal", "Exists", null),
        value: fc.oneof(goodValue, badValue),
        effect: fc.oneof(effect, fc.constant(null)),
        tolerationSeconds: fc.constantFrom(null, 0, 60),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
);
const term = fc.record({ labelSelector: selector, topologyKey: fc.constantFrom("zone", "host") });
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const preferred = "preferredDuringSchedulingIgnoredDuringExecution";
const goodAffinity = fc.record(
  {
    podAntiAffinity: fc.record(
      {
        [required]: fc.array(term, { maxLength: 2 }),
        [preferred]: fc.array(fc.record({ weight: fc.integer({ min: 1, max: 100 }), podAffinityTerm: term }), {
          maxLength: 2,
        }),
      },
      { requiredKeys: [] },
    ),
    nodeAffinity: fc.constant({
      [required]: { nodeSelectorTerms: [{ matchExpressions: [{ key: "zone", operator: "Exists" }] }] },
    }),
  },
  { requiredKeys: [] },
);
const badAffinity = fc.constantFrom<unknown>(
  { podAntiAffinity: { [preferred]: [{ weight: 0, podAffinityTerm: { topologyKey: "zone" } }] } },
  { podAntiAffinity: { [required]: [{}] } },
  { podAffinity: { [required]: [{ topologyKey: "" }] } },
  { nodeAffinity: { [required]: {} } },
  { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Is" }] }] } } },
  { nodesAffinity: {} },
);

const servers = fc.constantFrom(1, 2, 100, "1", "25%", "100%");
const goodRollout = fc.record(
  { maxSurge: servers, maxUnavailable: fc.oneof(servers, fc.constant(0)) },
  { requiredKeys: [] },
);
const anyServers = fc.constantFrom<unknown>(
  0,
  "0",
  "0%",
  1,
  "25%",
  -1,
  101,
  "101%",
  "1.5",
  "",
  "x",
  1.5,
  true,
  null,
  "00",
);
const badRollout = fc.oneof(
  fc.record({ maxSurge: anyServers, maxUnavailable: anyServers }, { requiredKeys: [] }),
  fc.constantFrom<unknown>({ pace: 1 }, { maxSurge: {} }),
);

/** Of images, what their references are made of, put together in any order. */
const imageText = fc
  .array(fc.constantFrom(..."a A 1 . - _ __ / : @ : sha256: registry:5000 /b :1.6 [::1] é \n + %".split(" ")), {
    maxLength: 6,
  })
  .map((parts) => parts.join(""));
const goodImages = ["memcached", "registry:5000/memcached:1.6", `Registry.io/a@sha256:${"0".repeat(64)}`];

/** The fields; `or` decides how often a value is one that does not fit. */
function specWith(or: (good: Arbitrary, bad: Arbitrary) => Arbitrary): fc.Arbitrary<Record<string, unknown>> {
  const integer = (min: number, max: number): Arbitrary =>
    or(
      fc.oneof(fc.constantFrom(min, max), fc.integer({ min, max })),
      fc.constantFrom(min - 1, max + 1, -min, max * 1000, 2 ** 31, -(2 ** 40)),
    );
  const good = {
    secrets: goodSecrets.map((names) => names.map((name) => ({ name }))),
    resources: fc.record({ requests: goodAmounts(1, 80), limits: goodAmounts(2, 2 ** 23) }, { requiredKeys: [] }),
  };
  const bad = {
    image: fc.oneof(fc.string({ maxLength: 8 }), imageText, fc.constant("m".repeat(513))),
    secrets: fc.oneof(
      fc.array(badSecret, { maxLength: 2 }),
      fc.constant([{ name: "a" }, { name: "a" }]),
      fc.constant(Array.from({ length: 17 }, (_, i) => ({ name: `s${i}` }))),
    ),
    args: fc.oneof(
      fc.tuple(goodArgs, fc.array(badWord, { maxLength: 2 })).map((parts) => parts.flat()),
      anyArgs,
      fc.constantFrom(["a".repeat(1025)], Array<string>(33).fill("-F")),
    ),
    resources: fc.oneof(
      fc.record({ requests: badAmounts, limits: badAmounts }, { requiredKeys: [] }),
      fc.constantFrom<unknown>({ claims: [] }, { limits: null }, { requests: [] }),
    ),
  };
  return fc.record(
    {
      size: integer(0, 100),
      image: or(fc.constantFrom(...goodImages), bad.image),
      imagePullPolicy: or(fc.constantFrom("Always", "IfNotPresent", "Never"), fc.constantFrom("always", "")),
      imagePullSecrets: or(good.secrets, bad.secrets),
      port: integer(1024, 65535),
      memory: or(memory, quantity),
      connections: integer(700, 500000),
      threads: integer(1, 128),
      maxItemSize: or(maxItemSize, quantity),
      verbosity: integer(0, 2),
      extraArgs: or(goodArgs, bad.args),
      resources: or(good.resources, bad.resources),
      workload: or(fc.constantFrom("Deployment", "StatefulSet"), fc.constantFrom("", "deployment")),
      rollout: or(goodRollout, badRollout),
      nodeSelector: or(goodMap, badMap),
      tolerations: or(goodTolerations, badTolerations),
      affinity: or(goodAffinity, badAffinity),
      topologySpreadConstraints: or(goodConstraints, badConstraints),
      priorityClassName: or(fc.constantFrom("high", "a.b"), fc.constantFrom("", "High", "a_b", "a".repeat(254))),
      podLabels: or(goodMap, badMap),
      podAnnotations: or(goodMap, badMap),
      service: or(
        fc.record({ type: fc.constant("ClusterIP"), annotations: goodMap }, { requiredKeys: [] }),
        fc.record(
          { type: fc.constantFrom("NodePort", "LoadBalancer", "", "ExternalName"), annotations: badMap },
          { requiredKeys: [] },
        ),
      ),
    },
    { requiredKeys: [] },
  );
}

/** A spec, legal or not, in every way that one can be wrong: nothing wrong, something, or anything. */
export const arbitrarySpec: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  specWith((good) => good),
  specWith((good, bad) =>
    fc.oneof({ weight: 18, arbitrary: good }, { weight: 3, arbitrary: bad }, { weight: 1, arbitrary: anything }),
  ),
  specWith((good, bad) => fc.oneof(good, bad)),
);
