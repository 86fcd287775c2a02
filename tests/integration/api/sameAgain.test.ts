import assert from "node:assert/strict";
import { memcachedCrd } from "../../../api";
import { operatorManifests, operatorNetworkPolicies } from "../../../components/manifests";
import type { KubeManifest, OperatorManifestArgs } from "../../../components/manifests";
import { controlPlane } from "../../support/controlPlane";
import type { ControlPlane } from "../../support/controlPlane";

/** Every argument that shapes the manifests. */
const everything: OperatorManifestArgs = {
  image: "operator:test",
  operandImage: "memcached:test",
  namespace: "same-again",
  namePrefix: "same-again-",
  watchNamespaces: ["same-again"],
  replicas: 0,
  resources: { limits: { memory: "256Mi" }, requests: { cpu: "10m" } },
  imagePullSecrets: ["registry-credentials"],
  proxy: { httpProxy: "http://proxy:1", httpsProxy: "http://proxy:1", noProxy: ".svc" },
  logLevel: "debug",
  metrics: { certSecret: "tls", port: 9443 },
  leaderElect: true,
  nodeSelector: { "kubernetes.io/os": "linux" },
  tolerations: [{ key: "dedicated", operator: "Exists", effect: "NoSchedule" }],
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: "zone", labelSelector: { matchLabels: { "control-plane": "controller-manager" } } },
      ],
    },
  },
  labels: { team: "a" },
  annotations: { note: "a" },
};

describe("the operator's objects, applied once more under another name", function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  before(async () => (plane = await controlPlane()));
  after(async () => {
    for (const name of ["same-again", "again"]) await plane.client.request("DELETE", `/api/v1/namespaces/${name}`);
  });

  /** As someone who was killed before they wrote down what they had made: another field manager, and no force. */
  async function apply(manager: string, manifest: KubeManifest): Promise<void> {
    const { apiVersion, kind, metadata } = manifest;
    const api = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const within = metadata.namespace ? `/namespaces/${String(metadata.namespace)}` : "";
    const plural = `${kind.toLowerCase()}s`.replace(/ys$/, "ies");
    const path = `${api}${within}/${plural}/${String(metadata.name)}?fieldManager=${manager}`;
    await plane.client.json("PATCH", path, manifest, "application/apply-patch+yaml");
  }

  const sets: [title: string, manifests: KubeManifest[]][] = [
    ["with every argument", [...operatorManifests(everything), ...operatorNetworkPolicies(everything)]],
    ["with none", operatorManifests({ image: "operator:test", namespace: "again", namePrefix: "again-", replicas: 0 })],
    ["the CRD", [memcachedCrd() as unknown as KubeManifest]],
  ];
  for (const [title, manifests] of sets)
    it(`meet no conflict: ${title}`, async () => {
      for (const manifest of manifests) await apply("first", manifest);
      for (const manifest of manifests) await assert.doesNotReject(apply("second", manifest));
    });
});
