/** Certificates for servers and clients of the tests, of authorities that a test makes. */
import { type Issued, issue, newAuthority, privatePem } from "../../cluster/pki";

/** A certificate with its key, in PEM form. */
export interface Pair {
  cert: string;
  key: string;
  /** As OpenSSL writes it: lower-case hexadecimal digits. */
  serial: string;
}

export class Authority {
  private constructor(private readonly issued: Issued) {}

  static async make(): Promise<Authority> {
    return new Authority(await newAuthority());
  }

  get ca(): string {
    return this.issued.certificate.toString("pem");
  }

  async issue(commonName: string, names: string[] = [], validMs?: number): Promise<Pair> {
    const { certificate, keys } = await issue(this.issued, { commonName, names, validMs });
    return { cert: certificate.toString("pem"), key: privatePem(keys), serial: certificate.serialNumber.toLowerCase() };
  }
}
