/** cert-manager at work on a cluster: it runs beside the cluster, as a process, with its issuers SelfSigned and CA. */
import { dirname, join } from "node:path";
import type { V1Condition, V1Secret } from "@kubernetes/client-node";
import { mergePatch } from "../../../cluster/apiClient";
import { Child, endsWithUs } from "../../../cluster/child";
import { ensureTools } from "../../../cluster/toolCache";
import { certManagerResources } from "../../../cluster/toolList";
import type { TestCluster } from "../../support/testCluster";
import { until } from "../../support/until";

/** Name of the issuer that a namespace gets. */
const ISSUER = "authority";

/** Milliseconds until a certificate is issued: it takes a second, and the authority's must come first. */
const ISSUED_MS = 30_000;

/** What cert-manager puts into a Secret, in PEM form. */
export interface IssuedSecret {
  type?: string;
  ca: string;
  cert: string;
  key: string;
}

export class CertManager {
  private constructor(
    private readonly cluster: TestCluster,
    private readonly child: Child,
  ) {}

  /** Creates its CustomResourceDefinitions and starts it. */
  static async start(cluster: TestCluster): Promise<CertManager> {
    const tool = (await ensureTools(["cert-manager"]))["cert-manager"];
    const files = certManagerResources.map((name) => ["-f", join(dirname(tool), name)]);
    await cluster.kubectlRun(["apply", "--server-side", ...files.flat()]);
    await cluster.kubectlRun(["wait", "--for=condition=Established", "--timeout=30s", ...files.flat()]);
    const log = join(cluster.settings.dir, "logs", "cert-manager.log");
    return new CertManager(cluster, new Child([...endsWithUs(), tool, `--kubeconfig=${cluster.kubeconfig}`], log));
  }

  stop(): Promise<void> {
    return this.child.stop();
  }

  /** Makes an authority in a namespace that is there, and the issuer that signs by it. */
  async makeIssuer(namespace: string): Promise<void> {
    await this.apply(namespace, "Issuer", "self-signed", { selfSigned: {} });
    await this.certificate(namespace, "authority", { isCA: true, commonName: "authority" }, "self-signed");
    await this.apply(namespace, "Issuer", ISSUER, { ca: { secretName: "authority" } });
  }

  /** Asks for a certificate and gives the Secret of its name once that is issued. `spec` has names, `duration` and the like. */
  async certificate(namespace: string, name: string, spec: object, issuer = ISSUER): Promise<IssuedSecret> {
    const privateKey = { algorithm: "ECDSA", rotationPolicy: "Always" };
    const issuerRef = { name: issuer };
    await this.apply(namespace, "Certificate", name, { secretName: name, privateKey, issuerRef, ...spec });
    return this.issued(namespace, name, 1);
  }

  /** Renews a certificate before its time, as `cmctl renew` does, and gives the Secret with the new one. */
  async renew(namespace: string, name: string): Promise<IssuedSecret> {
    const { status } = await this.read(namespace, name);
    const why = { reason: "ManuallyTriggered", message: "Renewed by a test", lastTransitionTime: new Date() };
    const conditions = [...(status?.conditions ?? []), { type: "Issuing", status: "True", ...why }];
    await this.cluster.client.json("PATCH", `${path(namespace, name)}/status`, { status: { conditions } }, mergePatch);
    return this.issued(namespace, name, (status?.revision ?? 0) + 1);
  }

  private issued(namespace: string, name: string, revision: number): Promise<IssuedSecret> {
    return until(`cert-manager to issue the certificate ${name} (revision ${revision})`, ISSUED_MS, async () => {
      this.child.check();
      const { status } = await this.read(namespace, name);
      const isReady = status?.conditions?.some((it) => it.type === "Ready" && it.status === "True");
      if (!isReady || status?.revision !== revision) throw new Error(JSON.stringify(status));
      const secret = `/api/v1/namespaces/${namespace}/secrets/${name}`;
      const { type, data = {} } = await this.cluster.client.json<V1Secret>("GET", secret);
      const text = (key: string) => Buffer.from(data[key] ?? "", "base64").toString();
      return { type, ca: text("ca.crt"), cert: text("tls.crt"), key: text("tls.key") };
    });
  }

  private read(namespace: string, name: string): Promise<Certificate> {
    return this.cluster.client.json<Certificate>("GET", path(namespace, name));
  }

  private apply(namespace: string, kind: string, name: string, spec: object): Promise<string> {
    const object = { apiVersion: "cert-manager.io/v1", kind, metadata: { name, namespace }, spec };
    return this.cluster.kubectlRun(["apply", "-f", "-"], JSON.stringify(object));
  }
}

interface Certificate {
  status?: { conditions?: V1Condition[]; revision?: number };
}

const path = (namespace: string, name: string) =>
  `/apis/cert-manager.io/v1/namespaces/${namespace}/certificates/${name}`;
