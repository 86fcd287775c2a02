import fc from "fast-check";

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

const goodWord = fc.constantFrom(..."-o modern -F -X -C --disable-cas -b 100 --listen-backlog=1 - -- -D é".split(" "));
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
    image: fc.oneof(fc.string({ maxLength: 8 }), fc.constant("m".repeat(513))),
    secrets: fc.oneof(
      fc.array(badSecret, { maxLength: 2 }),
      fc.constant([{ name: "a" }, { name: "a" }]),
      fc.constant(Array.from({ length: 17 }, (_, i) => ({ name: `s${i}` }))),
    ),
    args: fc.oneof(
      fc.array(fc.oneof(goodWord, badWord), { maxLength: 3 }),
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
      image: or(fc.constantFrom("memcached", "registry:5000/memcached:1.6", "a@sha256:0"), bad.image),
      imagePullPolicy: or(fc.constantFrom("Always", "IfNotPresent", "Never"), fc.constantFrom("always", "")),
      imagePullSecrets: or(good.secrets, bad.secrets),
      port: integer(1024, 65535),
      memory: or(memory, quantity),
      connections: integer(700, 500000),
      threads: integer(1, 128),
      maxItemSize: or(maxItemSize, quantity),
      verbosity: integer(0, 2),
      extraArgs: or(fc.array(goodWord, { maxLength: 3 }), bad.args),
      resources: or(good.resources, bad.resources),
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
