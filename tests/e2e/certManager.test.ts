import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { testCluster, type TestCluster } from "../support/testCluster";
import { CertManager, type IssuedSecret } from "./support/certManager";

const NAMESPACE = "certificates";
const HOST = `server.${NAMESPACE}.svc.cluster.local`;

describe("cert-manager beside the embedded cluster", function () {
  this.timeout(120_000);
  let cluster: TestCluster;
  let certManager: CertManager | undefined;
  let first: IssuedSecret;

  /** Fails unless the Secret has a certificate for the host of an hour, of its authority, with its key. */
  const checked = ({ type, ca, cert, key }: IssuedSecret): X509Certificate => {
    const certificate = new X509Certificate(cert);
    assert.equal(type, "kubernetes.io/tls");
    assert.equal(certificate.checkHost(HOST), HOST);
    assert.equal(certificate.validToDate.getTime() - certificate.validFromDate.getTime(), 3600_000);
    assert.ok(certificate.checkIssued(new X509Certificate(ca)) && certificate.checkPrivateKey(createPrivateKey(key)));
    return certificate;
  };

  before(async () => {
    cluster = await testCluster();
    await cluster.kubectlRun(["create", "namespace", NAMESPACE]);
    certManager = await CertManager.start(cluster);
    await certManager.makeIssuer(NAMESPACE);
  });

  after(async () => {
    await certManager?.stop();
    await cluster?.kubectlTry(["delete", "namespace", NAMESPACE, "--ignore-not-found", "--wait=false"]);
  });

  it("issues a certificate as a Secret", async () => {
    first = await certManager!.certificate(NAMESPACE, "server", {
      dnsNames: [HOST],
      duration: "1h",
      renewBefore: "5m",
    });
    checked(first);
  });

  it("renews it: another certificate and another key, of the same authority", async () => {
    const next = await certManager!.renew(NAMESPACE, "server");
    assert.notEqual(checked(next).serialNumber, checked(first).serialNumber);
    assert.notEqual(next.key, first.key);
    assert.equal(next.ca, first.ca);
  });
});
