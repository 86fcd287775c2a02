import type { MemcachedSpec } from "../../../api";
import type { RuleExample } from "./ruleExample";

type Tls = NonNullable<MemcachedSpec["tls"]>;

const tls = (more: Partial<Tls> = {}): MemcachedSpec => ({ tls: { secretName: "tls", ...more } });
const auth: MemcachedSpec = { auth: { secretName: "users" } };

const badNames = ["High", "a_b", "-a", "a..b", "a\n"];
const goodNames = ["high", "a.b"];

export const securityExamples: RuleExample[] = [
  {
    sentence: "spec.tls.secretName and the names in spec.tls.clientCA must be names",
    refused: badNames.flatMap((name) => [
      tls({ secretName: name }),
      tls({ clientCA: { secretName: name } }),
      tls({ clientCA: { configMapName: name } }),
    ]),
    allowed: goodNames.flatMap((name) => [
      tls({ secretName: name }),
      tls({ clientCA: { secretName: name } }),
      tls({ clientCA: { configMapName: name, key: "bundle.pem" } }),
    ]),
  },
  {
    sentence: "spec.auth.secretName must be the name of a Secret",
    refused: badNames.map((secretName) => ({ auth: { secretName } })),
    allowed: goodNames.map((secretName) => ({ auth: { secretName } })),
  },
  {
    sentence: "spec.tls.clientCA must name either a Secret or a ConfigMap",
    refused: [{}, { key: "ca.crt" }, { secretName: "a", configMapName: "b" }].map((clientCA) => tls({ clientCA })),
    allowed: [{ secretName: "a" }, { configMapName: "b", key: "bundle.pem" }].map((clientCA) => tls({ clientCA })),
  },
  {
    sentence: "spec.tls.plaintextPort must differ from spec.port",
    refused: [tls({ plaintextPort: 11211 }), { port: 12000, ...tls({ plaintextPort: 12000 }) }],
    allowed: [tls({ plaintextPort: 11212 }), { port: 12000, ...tls({ plaintextPort: 11211 }) }],
  },
  {
    sentence: "spec.extraArgs must not set options of TLS (-o ssl_…) when spec.tls is set, nor -Y",
    refused: [
      ...[["-o", "ssl_verify_mode=0"], ["-ossl_key=/x"], ["--extended=modern,ssl_ciphers=x"]].map((extraArgs) => ({
        ...tls(),
        extraArgs,
      })),
      ...[["-Y", "/x"], ["-Y/x"], ["-AY/x"], ["--auth-file=/x"], ["--auth-f", "/x"]].map((extraArgs) => ({
        ...auth,
        extraArgs,
      })),
    ],
    allowed: [
      { ...tls(), extraArgs: ["-o", "idle_timeout=300"] },
      { ...auth, extraArgs: ["-o", "ssl_wbuf_size=16"] },
      { ...tls(), extraArgs: ["-Y", "/x"] },
      { ...auth, extraArgs: ["-F"] },
    ],
  },
  {
    sentence: "spec.reload.image must be an image reference",
    refused: ["memcached 1.6", "a//b", "Memcached"].map((image) => ({ reload: { image } })),
    allowed: ["busybox", "registry.example.com/tools/sh:1"].map((image) => ({ reload: { image } })),
  },
  ...(["maxUnavailable", "minAvailable"] as const).map((field): RuleExample => ({
    sentence: "spec.disruptionBudget.maxUnavailable and spec.disruptionBudget.minAvailable must be 0 to 100",
    refused: [-1, 101, "101%", "half", "", "1.5"].map((amount) => ({ disruptionBudget: { [field]: amount } })),
    allowed: [0, 1, 100, "0%", "25%", "100%", "2"].map((amount) => ({ disruptionBudget: { [field]: amount } })),
  })),
  {
    sentence: "spec.disruptionBudget must hold either maxUnavailable or minAvailable",
    refused: [{}, { maxUnavailable: 1, minAvailable: 1 }].map((disruptionBudget) => ({ disruptionBudget })),
    allowed: [{ disruptionBudget: { minAvailable: 1 } }],
  },
];
