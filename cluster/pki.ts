/** The certificates of a cluster: one authority, a server and client certificate for each part, keys for its tokens. */
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { generateKeyPairSync, KeyObject, randomBytes, webcrypto } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";

x509.cryptoProvider.set(webcrypto);

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const TEN_YEARS_MS = 3650 * 24 * 3600 * 1000;

/** Who a certificate is for: file name, common name, organisation, and the names it serves under. */
export interface Subject {
  file: string;
  commonName: string;
  organisation?: string;
  names?: string[];
  /** Milliseconds from now for which it is good. Default: ten years. */
  validMs?: number;
}

/**
 * Writes `ca.crt`, a `<file>.crt` and `<file>.key` for each subject, and `sa.key`, `sa.pub` for service-account
 * tokens, into a folder; leaves a folder that has them alone.
 */
export async function writePki(dir: string, subjects: readonly Subject[]): Promise<void> {
  if (existsSync(join(dir, "complete"))) return;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text, { mode: 0o600 });
  const authority = await newAuthority();
  write("ca.crt", authority.certificate.toString("pem"));
  write("ca.key", privatePem(authority.keys));
  for (const subject of subjects) {
    const { certificate, keys } = await issue(authority, subject);
    write(`${subject.file}.crt`, certificate.toString("pem"));
    write(`${subject.file}.key`, privatePem(keys));
  }
  const tokens = generateKeyPairSync("rsa", { modulusLength: 2048 });
  write("sa.key", tokens.privateKey.export({ type: "pkcs8", format: "pem" }) as string);
  write("sa.pub", tokens.publicKey.export({ type: "spki", format: "pem" }) as string);
  write("complete", "");
}

export interface Issued {
  certificate: x509.X509Certificate;
  keys: webcrypto.CryptoKeyPair;
}

const newKeys = () =>
  webcrypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]) as Promise<webcrypto.CryptoKeyPair>;

const validity = (validMs = TEN_YEARS_MS) => ({
  serialNumber: `01${randomBytes(15).toString("hex")}`,
  notBefore: new Date(Date.now() - 60_000),
  notAfter: new Date(Date.now() + validMs),
});

export async function newAuthority(): Promise<Issued> {
  const keys = await newKeys();
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity(),
    name: "CN=memcached-cluster-ca",
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(usage, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, keys };
}

export async function issue(authority: Issued, subject: Omit<Subject, "file">): Promise<Issued> {
  const keys = await newKeys();
  const names = (subject.names ?? []).map((value) => ({ type: isIP(value) ? "ip" : "dns", value }) as const);
  const certificate = await x509.X509CertificateGenerator.create({
    ...validity(subject.validMs),
    subject: [...(subject.organisation ? [{ O: [subject.organisation] }] : []), { CN: [subject.commonName] }],
    issuer: authority.certificate.subject,
    publicKey: keys.publicKey,
    signingKey: authority.keys.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth, x509.ExtendedKeyUsage.clientAuth]),
      await x509.AuthorityKeyIdentifierExtension.create(authority.certificate),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  });
  return { certificate, keys };
}

export const privatePem = ({ privateKey }: webcrypto.CryptoKeyPair): string =>
  KeyObject.from(privateKey).export({ type: "pkcs8", format: "pem" }) as string;
