import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createSecureContext } from "node:tls";
import { Outage } from "../../outage";
import type { Logger } from "../../types";

/** A certificate, with those that vouch for it, and its key, in PEM. */
export interface KeyPair {
  cert: string;
  key: string;
}

/** Where a pair lies. A mounted Secret has both names as links into a folder that the kubelet swaps. */
export interface CertificateFolder {
  path: string;
  /** Default "tls.crt". */
  certName?: string;
  /** Default "tls.key". */
  keyName?: string;
}

/** As often as controller-runtime's certwatcher looks. */
const defaultEveryMs = 10_000;

/** A pair of files that others replace. A pair that is half written or does not fit leaves the one before in use. */
export class CertificateFiles {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  private constructor(
    readonly first: KeyPair,
    private readonly folder: CertificateFolder,
  ) {}

  /** Reads the pair. Rejects, naming `flag` and the file, when there is none that can serve. */
  static async open(folder: CertificateFolder, flag: string): Promise<CertificateFiles> {
    const found = await readPair(folder);
    if ("missing" in found) throw new Error(`${flag}: ${found.missing}`);
    return new CertificateFiles(found, folder);
  }

  /** Looks every `everyMs` (default 10 s) until `stop`, and hands on each new pair that can serve. */
  follow(use: (pair: KeyPair) => void, log: Logger, everyMs = defaultEveryMs): void {
    const outage = new Outage(log, `Reading a new certificate from ${this.folder.path}`);
    let current = this.first;
    const look = async () => {
      const found = await readPair(this.folder);
      if (this.stopped) return;
      if ("missing" in found) outage.failed(`${found.missing}; the certificate read before stays in use`);
      else {
        outage.recovered();
        if (found.cert !== current.cert || found.key !== current.key) {
          current = found;
          use(found);
          log.info({ path: this.folder.path, ...describePair(found) }, "Serving with a new certificate");
        }
      }
      wait();
    };
    const wait = () => (this.timer = setTimeout(() => void look(), everyMs));
    wait();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }
}

/** What people ask of a certificate. */
export function describePair({ cert }: KeyPair): { names?: string; notAfter: string } {
  const leaf = new X509Certificate(cert);
  return { names: leaf.subjectAltName, notAfter: new Date(leaf.validTo).toISOString() };
}

async function readPair({ path, certName = "tls.crt", keyName = "tls.key" }: CertificateFolder) {
  const certFile = join(path, certName);
  const keyFile = join(path, keyName);
  for (let tries = 0; ; tries++) {
    let pair: KeyPair;
    try {
      pair = { cert: await readFile(certFile, "utf8"), key: await readFile(keyFile, "utf8") };
      // Both may have been swapped between the two.
      if ((await readFile(certFile, "utf8")) !== pair.cert && tries < 3) continue;
    } catch (error) {
      return { missing: `cannot read the certificate: ${(error as Error).message}` };
    }
    const wrong = wrongWith(pair, certFile, keyFile);
    return wrong === undefined ? pair : { missing: wrong };
  }
}

/** A sentence of why a pair cannot serve, if it cannot. What OpenSSL says of a key never quotes it. */
function wrongWith({ cert, key }: KeyPair, certFile: string, keyFile: string): string | undefined {
  const trying = <T>(file: string, what: string, make: () => T): T | string => {
    try {
      return make();
    } catch (error) {
      return `${file} holds no ${what} in PEM: ${(error as Error).message}`;
    }
  };
  const leaf = trying(certFile, "certificate", () => new X509Certificate(cert));
  if (typeof leaf === "string") return leaf;
  const secret = trying(keyFile, "unencrypted private key", () => createPrivateKey(key));
  if (typeof secret === "string") return secret;
  if (!leaf.checkPrivateKey(secret)) return `${keyFile} is not the key of ${certFile}`;
  const context = trying(certFile, "chain of certificates", () => createSecureContext({ cert, key }));
  return typeof context === "string" ? context : undefined;
}
