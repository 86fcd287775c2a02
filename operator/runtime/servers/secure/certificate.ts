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
    const first = await readPair(folder).catch((error: Error) => {
      throw new Error(`${flag}: ${error.message}`, { cause: error });
    });
    return new CertificateFiles(first, folder);
  }

  /** Looks every `everyMs` (default 10 s) until `stop`, and hands on each new pair that can serve. */
  follow(use: (pair: KeyPair) => void, log: Logger, everyMs = defaultEveryMs): void {
    const outage = new Outage(log, `Reading a new certificate from ${this.folder.path}`);
    let current = this.first;
    const look = async () => {
      try {
        const found = await readPair(this.folder);
        if (this.stopped) return;
        outage.recovered();
        if (found.cert !== current.cert || found.key !== current.key) {
          current = found;
          use(found);
          log.info({ path: this.folder.path, ...describePair(found) }, "Serving with a new certificate");
        }
      } catch (error) {
        if (this.stopped) return;
        outage.failed(`${(error as Error).message}; the certificate read before stays in use`);
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

/** Rejects with a sentence of why there is no pair that can serve. */
async function readPair({ path, certName = "tls.crt", keyName = "tls.key" }: CertificateFolder): Promise<KeyPair> {
  const certFile = join(path, certName);
  const keyFile = join(path, keyName);
  for (let tries = 0; ; tries++) {
    const pair = { cert: await readText(certFile), key: await readText(keyFile) };
    // Both may have been swapped between the two.
    if ((await readText(certFile)) !== pair.cert && tries < 3) continue;
    check(pair, certFile, keyFile);
    return pair;
  }
}

async function readText(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: Error) => {
    throw new Error(`cannot read the certificate: ${error.message}`, { cause: error });
  });
}

/** Throws a sentence of why a pair cannot serve, if it cannot. What OpenSSL says of a key never quotes it. */
function check({ cert, key }: KeyPair, certFile: string, keyFile: string): void {
  const leaf = read(certFile, "certificate", () => new X509Certificate(cert));
  const secret = read(keyFile, "unencrypted private key", () => createPrivateKey(key));
  if (!leaf.checkPrivateKey(secret)) throw new Error(`${keyFile} is not the key of ${certFile}`);
  read(certFile, "chain of certificates", () => createSecureContext({ cert, key }));
}

function read<T>(file: string, what: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new Error(`${file} holds no ${what} in PEM: ${(error as Error).message}`, { cause: error });
  }
}
