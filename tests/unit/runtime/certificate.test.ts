import assert from "node:assert/strict";
import { X509Certificate, generateKeyPairSync } from "node:crypto";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import type { AddressInfo } from "node:net";
import { CertificateFiles } from "../../../operator/runtime/servers/secure/certificate";
import type { KeyPair } from "../../../operator/runtime/servers/secure/certificate";
import { selfSigned } from "../../../operator/runtime/servers/secure/selfSigned";
import { secureServer } from "../../../operator/runtime/servers/secure/server";
import { until } from "../../support/until";
import { recordingLog } from "./support/log";

describe("the self-signed certificate", () => {
  it("is one that OpenSSL reads, signed by its own key, for a server on loopback", () => {
    const { cert, key } = selfSigned("an-operator");
    const leaf = new X509Certificate(cert);
    assert.equal(leaf.subject, "CN=an-operator");
    assert.equal(leaf.subjectAltName, "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1");
    assert.ok(leaf.verify(leaf.publicKey));
    assert.ok(leaf.checkIssued(leaf));
    assert.equal(leaf.ca, false);
    assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
    assert.ok(Date.parse(leaf.validFrom) < Date.now() && Date.parse(leaf.validTo) > Date.now() + 9 * 365 * 86_400_000);
    assert.match(key, /BEGIN PRIVATE KEY/);
    assert.notEqual(new X509Certificate(selfSigned("an-operator").cert).serialNumber, leaf.serialNumber);
  });

  it("takes names that DER writes in longer forms, and years beyond 2049", () => {
    for (const name of ["x".repeat(130), "\u00e4".repeat(200)]) {
      const leaf = new X509Certificate(selfSigned(name).cert);
      assert.ok(leaf.verify(leaf.publicKey));
      assert.ok(leaf.toLegacyObject().subject.CN === name);
    }
    const late = new X509Certificate(selfSigned("late", new Date("2049-06-01T00:00:00Z")).cert);
    assert.equal(new Date(late.validFrom).toISOString(), "2049-05-31T23:00:00.000Z");
    assert.equal(new Date(late.validTo).getUTCFullYear(), 2059);
  });
});

describe("certificate files", () => {
  let dir: string;
  let generation: number;
  const followed: CertificateFiles[] = [];
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "certificate-"));
    generation = 0;
  });
  afterEach(() => {
    for (const each of followed.splice(0)) each.stop();
    rmSync(dir, { recursive: true });
  });

  /** Mounts a pair as the kubelet does: files are links through ..data, which is swapped at once. */
  const mount = ({ cert, key }: KeyPair) => {
    const version = `..v${generation++}`;
    mkdirSync(join(dir, version));
    writeFileSync(join(dir, version, "tls.crt"), cert);
    writeFileSync(join(dir, version, "tls.key"), key);
    symlinkSync(version, join(dir, "..new"));
    renameSync(join(dir, "..new"), join(dir, "..data"));
    if (version !== "..v0") return;
    for (const file of ["tls.crt", "tls.key"]) symlinkSync(join("..data", file), join(dir, file));
  };
  const follow = async () => {
    const files = await CertificateFiles.open({ path: dir }, "--cert-path");
    const used: string[] = [];
    const { log, lines } = recordingLog();
    files.follow(({ cert }) => used.push(cert), log, 10);
    followed.push(files);
    return { used, lines };
  };
  it("are followed over the swaps of a mounted Secret", async () => {
    mount(selfSigned("one"));
    const { used, lines } = await follow();
    const [two, three] = [selfSigned("two"), selfSigned("three")];
    mount(two);
    await until("the second", 2_000, () => used.length === 1);
    mount(three);
    await until("the third", 2_000, () => used.length === 2);
    assert.deepEqual(used, [two.cert, three.cert]);
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ["Serving with a new certificate", "Serving with a new certificate"],
    );
  });

  it("leave the old pair in use while they are broken, say so once, and go on with the next good one", async () => {
    const one = selfSigned("one");
    for (const [broken, words] of [
      [{ cert: one.cert, key: selfSigned("other").key }, /tls\.key is not the key of .*tls\.crt/],
      [{ cert: one.cert.slice(0, 200), key: one.key }, /tls\.crt holds no certificate in PEM/],
      [{ cert: "", key: one.key }, /tls\.crt holds no certificate in PEM/],
      [{ cert: one.cert, key: "" }, /tls\.key holds no unencrypted private key in PEM/],
    ] as [KeyPair, RegExp][]) {
      mount(one);
      const { used, lines } = await follow();
      mount(broken);
      await until("the log to say so", 2_000, () => lines.length > 0);
      assert.match(String(lines[0]?.cause), words);
      assert.match(String(lines[0]?.cause), /the certificate read before stays in use/);
      const good = selfSigned("good");
      mount(good);
      await until("the good one", 2_000, () => used.length > 0);
      assert.deepEqual(used, [good.cert]);
      assert.equal(lines.filter(({ level }) => level === "warn").length, 1);
      assert.ok(!JSON.stringify(lines).includes("PRIVATE KEY"));
      followed.pop()?.stop();
    }
  });

  it("must be there, whole, at the start: the sentence names the flag and the file", async () => {
    const open = () => CertificateFiles.open({ path: dir }, "--cert-path");
    await assert.rejects(open(), /^Error: --cert-path: cannot read the certificate: .*tls\.crt/);
    const { cert } = selfSigned("one");
    const key = generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }) as string;
    mount({ cert, key });
    await assert.rejects(open(), /^Error: --cert-path: .*tls\.key is not the key of/);
  });

  it("may have other names", async () => {
    const { cert, key } = selfSigned("one");
    writeFileSync(join(dir, "a.pem"), cert);
    writeFileSync(join(dir, "b.pem"), key);
    const { first } = await CertificateFiles.open({ path: dir, certName: "a.pem", keyName: "b.pem" }, "--cert-path");
    assert.equal(first.cert, cert);
  });
});

describe("the TLS server", () => {
  const protocolOf = async (http2: boolean, options: object) => {
    const server = await secureServer((_, response) => response.end(), selfSigned("server"), http2);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    try {
      return await new Promise<string>((resolve) => {
        const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false, ...options }, () => {
          resolve(`${socket.alpnProtocol || "none"} ${socket.getProtocol()}`);
          socket.destroy();
        });
        socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
      });
    } finally {
      server.close();
    }
  };

  it("speaks HTTP/1.1 alone unless HTTP/2 is asked for", async () => {
    const both = { ALPNProtocols: ["h2", "http/1.1"] };
    assert.equal(await protocolOf(false, both), "http/1.1 TLSv1.3");
    assert.match(await protocolOf(false, { ALPNProtocols: ["h2"] }), /ALERT_NO_APPLICATION_PROTOCOL/);
    assert.equal(await protocolOf(true, both), "h2 TLSv1.3");
    assert.equal(await protocolOf(true, { ALPNProtocols: ["http/1.1"] }), "http/1.1 TLSv1.3");
    assert.equal(await protocolOf(true, {}), "none TLSv1.3");
  });

  it("takes TLS 1.2 and nothing older", async () => {
    const upTo = (maxVersion: string) => ({ minVersion: "TLSv1", maxVersion, ciphers: "DEFAULT:@SECLEVEL=0" });
    for (const http2 of [false, true]) {
      assert.equal(await protocolOf(http2, upTo("TLSv1.2")), "none TLSv1.2");
      assert.match(await protocolOf(http2, upTo("TLSv1.1")), /PROTOCOL_VERSION/);
    }
  });

  it("is not HTTP in clear", async () => {
    const server = await secureServer((_, response) => response.end(), selfSigned("server"), false);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`;
    await assert.rejects(fetch(url));
    server.close();
  });
});
