import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import { ComponentResource, type ComponentResourceOptions, type Output } from "@pulumi/pulumi";

const apiVersion = "cert-manager.io/v1";

/** What a certificate is for, as cert-manager's Certificate has it. */
interface Purpose {
  usages: ("server auth" | "client auth")[];
  dnsNames?: string[];
  commonName?: string;
}

/** An authority of its own for the caches of one namespace, made and kept by cert-manager. */
export class Authority extends ComponentResource {
  private readonly namespace: string;
  private readonly issuer: CustomResource;

  constructor(name: string, { namespace }: { namespace: string }, opts?: ComponentResourceOptions) {
    super("examples:index:Authority", name, {}, opts);
    this.namespace = namespace;
    const selfSigned = this.object("Issuer", `${name}-self-signed`, { selfSigned: {} });
    const root = this.object("Certificate", name, {
      secretName: name,
      isCA: true,
      commonName: name,
      duration: "43800h",
      // The key stays, so that certificates signed before a renewal of the authority are good after it.
      privateKey: { algorithm: "ECDSA", size: 256, rotationPolicy: "Never" },
      issuerRef: { name: selfSigned.metadata.name },
    });
    this.issuer = this.object("Issuer", `${name}-issuer`, { ca: { secretName: root.metadata.name } });
    this.registerOutputs();
  }

  /** Name of a Secret with a certificate, its key and the authority's certificate (ca.crt), renewed 30 days before it ends. */
  issue(secretName: string, purpose: Purpose): Output<string> {
    const certificate = this.object("Certificate", secretName, {
      secretName,
      duration: "2160h",
      renewBefore: "720h",
      privateKey: { algorithm: "ECDSA", size: 256, rotationPolicy: "Always" },
      issuerRef: { name: this.issuer.metadata.name },
      ...purpose,
    });
    return certificate.metadata.name;
  }

  /** An object of cert-manager; the update waits until it is ready, which for a Certificate means that its Secret is there. */
  private object(kind: "Issuer" | "Certificate", name: string, spec: object): CustomResource {
    const annotations = { "pulumi.com/waitFor": "condition=Ready" };
    const metadata = { name, namespace: this.namespace, annotations };
    return new CustomResource(name, { apiVersion, kind, metadata, spec }, { parent: this });
  }
}
