import { generateKeyPairSync, randomBytes, sign } from "node:crypto";
import type { KeyPair } from "./certificate";
import { bits, boolean, integer, octets, oid, sequence, set, tagged, time, utf8, wrapped } from "./der";

const ecdsaWithSha256 = sequence(oid("1.2.840.10045.4.3.2"));
const commonName = "2.5.4.3";
const subjectAltName = "2.5.29.17";
const basicConstraints = "2.5.29.19";
const extendedKeyUsage = "2.5.29.37";
const serverAuth = "1.3.6.1.5.5.7.3.1";
const hourMs = 3_600_000;
const tenYearsMs = 10 * 365 * 24 * hourMs;

/**
 * A certificate for localhost that nobody vouches for, with its P-256 key, in PEM: what encrypts when no certificate is given. Written
 * by hand after RFC 5280, for the libraries that do it take 19 MB of memory.
 */
export function selfSigned(name: string, now = new Date()): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const subject = sequence(set(sequence(oid(commonName), utf8(name))));
  const loopback = [Buffer.from([127, 0, 0, 1]), Buffer.concat([Buffer.alloc(15), Buffer.from([1])])];
  const names = sequence(tagged(2, Buffer.from("localhost")), ...loopback.map((ip) => tagged(7, ip)));
  const toBeSigned = sequence(
    wrapped(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    subject,
    sequence(time(new Date(now.getTime() - hourMs)), time(new Date(now.getTime() + tenYearsMs))),
    subject,
    publicKey.export({ type: "spki", format: "der" }),
    wrapped(
      3,
      sequence(
        sequence(oid(basicConstraints), boolean(true), octets(sequence())),
        sequence(oid(extendedKeyUsage), octets(sequence(oid(serverAuth)))),
        sequence(oid(subjectAltName), octets(names)),
      ),
    ),
  );
  const certificate = sequence(toBeSigned, ecdsaWithSha256, bits(sign("sha256", toBeSigned, privateKey)));
  return { cert: pem(certificate), key: privateKey.export({ type: "pkcs8", format: "pem" }) as string };
}

function pem(content: Buffer): string {
  const lines = content.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
