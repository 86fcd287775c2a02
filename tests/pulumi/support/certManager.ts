/**
 * Stands in for cert-manager where there is none: Issuers are ready as soon as they exist, and so are Certificates, with a Secret as
 * cert-manager makes it. All are signed by one authority, whoever their issuer is.
 */
import type { ControlPlane } from "../../support/controlPlane";
import { Authority } from "../../support/certificates";
import { until } from "../../support/until";

const GROUP = "cert-manager.io";

interface CertManagerObject {
  metadata: { name: string; namespace: string };
  spec: { secretName: string; commonName?: string; dnsNames?: string[] };
  status?: object;
}

export interface CertManager {
  /** Removes the kinds, and with them all objects. */
  stop(): Promise<void>;
}

export async function startCertManager(plane: ControlPlane): Promise<CertManager> {
  const authority = await Authority.make();

  const makeSecret = async ({ metadata, spec }: CertManagerObject) => {
    const { cert, key } = await authority.issue(spec.commonName ?? metadata.name, spec.dnsNames);
    await plane.client.apply(`/api/v1/namespaces/${metadata.namespace}/secrets/${spec.secretName}`, {
      ...{ apiVersion: "v1", kind: "Secret", type: "kubernetes.io/tls" },
      metadata: { name: spec.secretName },
      stringData: { "tls.crt": cert, "tls.key": key, "ca.crt": authority.ca },
    });
  };
  const setReady = (plural: string, { metadata }: CertManagerObject) => {
    const path = `/apis/${GROUP}/v1/namespaces/${metadata.namespace}/${plural}/${metadata.name}/status`;
    const status = { conditions: [{ type: "Ready", status: "True" }] };
    return plane.client.json("PATCH", path, { status }, "application/merge-patch+json");
  };
  const stops = await Promise.all(
    ["Issuer", "Certificate"].map(async (kind) => {
      const plural = `${kind.toLowerCase()}s`;
      await plane.client.apply(crdPath(plural), crd(kind, plural));
      await until(`the API server to serve ${plural}`, 30_000, async () => {
        return (await plane.client.request("GET", `/apis/${GROUP}/v1/${plural}`)).code === 200;
      });
      return plane.client.watch<CertManagerObject>(`/apis/${GROUP}/v1/${plural}`, ({ type, object }) => {
        if (type === "DELETED" || object.status) return;
        const secret = kind === "Certificate" ? makeSecret(object) : Promise.resolve();
        void secret.then(() => setReady(plural, object));
      });
    }),
  );
  return {
    stop: async () => {
      for (const stop of stops) stop();
      for (const plural of ["issuers", "certificates"]) await plane.client.request("DELETE", crdPath(plural));
    },
  };
}

const crdPath = (plural: string) => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${GROUP}`;

const crd = (kind: string, plural: string) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${GROUP}` },
  spec: {
    group: GROUP,
    scope: "Namespaced",
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        ...{ name: "v1", served: true, storage: true, subresources: { status: {} } },
        schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
      },
    ],
  },
});
