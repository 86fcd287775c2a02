import { X509Certificate, createPrivateKey } from "node:crypto";
import type { Problem } from "../status/observedState";

const pem = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of a PEM file; undefined when it holds none, or one that cannot be read. */
function certificatesOf(text: string): X509Certificate[] | undefined {
  const parts = text.match(pem);
  try {
    return parts?.map((part) => new X509Certificate(part));
  } catch {
    return undefined;
  }
}

/** What is wrong with a server's certificate and key, and until when nothing is. */
export function checkPair(cert: string, key: string, now: Date): { problem?: Problem; validUntil?: Date } {
  const wrong = (reason: string, message: string) => ({ problem: { reason, message } });
  const [certificate] = certificatesOf(cert) ?? [];
  if (!certificate) return wrong("InvalidCertificate", "tls.crt holds no certificate in PEM form: correct it");
  let fits: boolean;
  try {
    fits = certificate.checkPrivateKey(createPrivateKey(key));
  } catch {
    return wrong("InvalidCertificate", "tls.key holds no private key in PEM form without a passphrase: correct it");
  }
  if (!fits)
    return wrong(
      "CertificateKeyMismatch",
      "tls.key does not fit the certificate in tls.crt: put both in from one pair",
    );
  const validUntil = new Date(certificate.validTo);
  if (validUntil <= now)
    return wrong("CertificateExpired", `the certificate in tls.crt ran out on ${validUntil.toISOString()}: renew it`);
  return { validUntil };
}

/** What is wrong with the certificates that sign the clients'. */
export function checkAuthorities(text: string, key: string): Problem | undefined {
  if (certificatesOf(text)?.length) return undefined;
  return { reason: "InvalidCertificate", message: `${key} holds no certificate in PEM form: correct it` };
}
