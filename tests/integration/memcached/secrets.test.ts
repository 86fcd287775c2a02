import assert from "node:assert/strict";
import { until } from "../../support/until";
import { Authority, type Pair } from "../../support/certificates";
import { Lab } from "./lab";

describe("a Memcached whose Secrets the operator may read", function () {
  this.timeout(90_000);
  let lab: Lab;
  let authority: Authority;
  before(async () => {
    [lab, authority] = await Promise.all([Lab.open(), Authority.make()]);
  });
  after(() => lab.stop());

  const secret = (name: string, stringData: Record<string, string>) =>
    lab.server.client.apply(lab.core("secrets", name), {
      ...{ apiVersion: "v1", kind: "Secret", metadata: { name, namespace: lab.namespace }, stringData },
    });
  const tls = ({ cert, key }: Pair) => ({ "tls.crt": cert, "tls.key": key });
  const deployment = (name: string) => lab.apps("deployments", name);
  const started = (name: string) =>
    until("a pod to be made ready", 15_000, async () => (await lab.readyPods(name)) === 1);
  const change = (name: string, spec: object) => lab.patch(lab.server.at("v1", name), { spec });

  it("is told to be Degraded while a Secret is missing, and makes its servers once it is there", async () => {
    await lab.create("awaiting", { size: 1, auth: { secretName: "late" } });
    const { message } = await lab.awaitCondition("awaiting", "Degraded", "True", "SecretNotFound");
    assert.match(message, /Secret [-\w]+\/late, which spec\.auth\.secretName names: it does not exist: create it/);
    await lab.awaitCondition("awaiting", "SecretsValid", "False", "SecretNotFound");
    assert.equal(await lab.get(deployment("awaiting")), undefined);
    await secret("late", { users: "app:password\n" });
    await lab.awaits("a Deployment", deployment("awaiting"), () => true);
    await started("awaiting");
    await lab.awaitCondition("awaiting", "Ready", "True");
    await lab.awaitCondition("awaiting", "SecretsValid", "True");
  });

  it("keeps the servers that run when the next Secret is wrong, resizes them, and goes on once it is mended", async () => {
    await lab.create("kept", { size: 1 });
    const before = await lab.awaits("a Deployment", deployment("kept"), () => true);
    await started("kept");
    await lab.awaitCondition("kept", "Ready", "True");
    const [one, other] = await Promise.all([authority.issue("kept"), authority.issue("kept")]);
    await secret("pair", { ...tls(one), "tls.key": other.key });
    await change("kept", { size: 2, tls: { secretName: "pair" } });
    await lab.awaitCondition("kept", "Degraded", "True", "CertificateKeyMismatch");
    const held = await lab.awaits("two replicas", deployment("kept"), ({ spec }) => spec?.replicas === 2);
    assert.deepEqual({ ...held.spec, replicas: 1 }, before.spec);
    await secret("pair", tls(one));
    await lab.awaits("the new pods", deployment("kept"), ({ spec }) => JSON.stringify(spec).includes("--enable-ssl"));
    await lab.awaitCondition("kept", "Degraded", "False");
    await change("kept", { tls: null });
    await lab.awaits("the old pods", deployment("kept"), ({ spec }) => !JSON.stringify(spec).includes("--enable-ssl"));
    await lab.awaitCondition("kept", "Degraded", "False");
    const types = (await lab.status("kept")).conditions?.map(({ type }) => type).sort();
    assert.deepEqual(types, ["Available", "Degraded", "Progressing", "Ready"]);
  });

  it("is Degraded when the certificate of running servers runs out, at that moment, and heals when it is renewed", async () => {
    await secret("short", tls(await authority.issue("short", [], 8_000)));
    await lab.create("short", { size: 1, tls: { secretName: "short" } });
    await lab.awaits("a Deployment", deployment("short"), () => true);
    await started("short");
    await lab.awaitCondition("short", "Ready", "True");
    await lab.awaitCondition("short", "Degraded", "True", "CertificateExpired");
    await secret("short", tls(await authority.issue("short")));
    await lab.awaitCondition("short", "Degraded", "False");
    await lab.awaitCondition("short", "Ready", "True");
  });
});
