import assert from "node:assert/strict";
import { checkSecrets, type Found, preventsStart } from "../../../operator/memcached/secrets/check";
import { Authority, type Pair } from "../../support/certificates";

const spec = {
  tls: { secretName: "tls", clientCA: { configMapName: "ca" } },
  auth: { secretName: "users" },
};
const secret = (texts: Record<string, string>): Found => ({
  data: Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString("base64")])),
});

describe("the Secrets of a Memcached", () => {
  let now: Date;
  let pair: Pair;
  let other: Pair;
  let old: Pair;
  let good: Record<string, Found>;

  before(async () => {
    const authority = await Authority.make();
    [pair, other, old] = await Promise.all([
      authority.issue("cache"),
      authority.issue("cache"),
      authority.issue("cache", [], -1_000),
    ]);
    now = new Date();
    good = {
      tls: secret({ "tls.crt": pair.cert + authority.ca, "tls.key": pair.key }),
      ca: { data: { "ca.crt": authority.ca } },
      users: secret({ users: "app:one\napp:two\n" }),
    };
  });

  const check = (changes: Record<string, Found> = {}) =>
    checkSecrets(spec, "shop", ({ name }) => ({ ...good, ...changes })[name]!, now);

  it("are good as they should be, until the certificate runs out", () => {
    const { validUntil, ...rest } = check();
    assert.deepEqual(rest, {});
    assert.ok(validUntil && validUntil > now);
  });

  const users = (text: string) => ({ users: secret({ users: text }) });
  const tls = (cert: string, key: string) => ({ tls: secret({ "tls.crt": cert, "tls.key": key }) });
  const cases: [what: string, changes: () => Record<string, Found>, reason: string, message: RegExp][] = [
    [
      "a Secret that is not there",
      () => ({ tls: "missing" }),
      "SecretNotFound",
      /^Secret shop\/tls, which spec\.tls\.secretName names: it does not exist: create it/,
    ],
    [
      "a ConfigMap that is not there",
      () => ({ ca: "missing" }),
      "ConfigMapNotFound",
      /^ConfigMap shop\/ca, which spec\.tls\.clientCA\.configMapName names/,
    ],
    [
      "a missing key",
      () => ({ tls: secret({ "tls.crt": pair.cert }) }),
      "KeyMissing",
      /no value under tls\.key: add it/,
    ],
    ["an empty value", () => users(""), "KeyMissing", /no value under users/],
    ["no certificate", () => tls("text", pair.key), "InvalidCertificate", /tls\.crt holds no certificate/],
    [
      "a certificate cut short",
      () => tls(pair.cert.replace(/.{80}\n-----END/s, "\n-----END"), pair.key),
      "InvalidCertificate",
      /tls\.crt holds no certificate/,
    ],
    ["no key", () => tls(pair.cert, "text"), "InvalidCertificate", /tls\.key holds no private key/],
    ["a key of another certificate", () => tls(pair.cert, other.key), "CertificateKeyMismatch", /does not fit/],
    ["a certificate that ran out", () => tls(old.cert, old.key), "CertificateExpired", /ran out on 20.*: renew it/],
    [
      "no authority",
      () => ({ ca: { data: { "ca.crt": "text" } } }),
      "InvalidCertificate",
      /ca\.crt holds no certificate/,
    ],
    [
      "a user without a password",
      () => users("app:one\napp\n"),
      "InvalidUsers",
      /line 2 of users is not of the form user:password/,
    ],
    ["an empty line among the users", () => users("app:one\n\n"), "InvalidUsers", /line 2 of users/],
    ["nine users", () => users("app:one\n".repeat(9)), "InvalidUsers", /users has 9 lines/],
    [
      "a long password",
      () => users(`app:${"x".repeat(252)}\n`),
      "InvalidUsers",
      /line 1 of users has more than 255 bytes/,
    ],
  ];
  for (const [what, changes, reason, message] of cases)
    it(`are found wrong with ${what}`, () => {
      const report = check(changes());
      assert.equal(report.problem?.reason, reason);
      assert.match(report.problem?.message ?? "", message);
      assert.equal(preventsStart(report) !== undefined, reason !== "CertificateExpired");
    });

  it("may have eight users of 255 bytes, without an end of the last line", () => {
    assert.equal(check(users(`app:${"x".repeat(251)}\n`.repeat(8).trimEnd())).problem, undefined);
  });

  it("that must not be read are told with the command that allows it, and the others are looked at all the same", () => {
    const refused = `secrets "tls" is forbidden: User "system:serviceaccount:system:a-controller-manager" cannot get resource "secrets"`;
    const { unread, problem } = check({ tls: { refused }, users: "missing" });
    const command =
      "kubectl create rolebinding a-secrets-rolebinding -n shop --clusterrole=a-secrets-role --serviceaccount=system:a-controller-manager";
    assert.ok(unread?.endsWith(command), unread);
    assert.equal(problem?.reason, "SecretNotFound");
  });

  it("hold no secret in what is told of them", () => {
    const told = JSON.stringify([check(users("app:hidden\nhidden\n")), check(tls(pair.cert, "hidden"))]);
    assert.doesNotMatch(told, /hidden/);
  });
});
