/** The operator and a cache without the components, as a JavaScript program of plain @pulumi/kubernetes classes. */
import { memcachedCrd } from "../../api";
import { type KubeManifest, operatorManifests } from "../../components/manifests";

// Nothing runs pods here, and what is compared is Pulumi's share: so nothing waits for them.
const annotations = { "pulumi.com/skipAwait": "true" };

/** The CRD comes first, then the namespace and what is in it; the controller waits for all of that, and the cache for the controller. */
export function plainProgram(): string {
  const cache = { kind: "Memcached", metadata: { name: "cache", annotations }, spec: { size: 3 } };
  const manifests = [
    memcachedCrd() as unknown as KubeManifest,
    ...operatorManifests({ image: "operator:bench" }),
    { apiVersion: "cache.example.com/v1", ...cache },
  ];
  const lines = manifests.map((manifest, i) => {
    const { kind, metadata } = manifest;
    const waits = ["Deployment", "Memcached"].includes(kind);
    const inputs = waits ? { ...manifest, metadata: { ...metadata, annotations } } : manifest;
    const before = manifests.map((_, at) => `r${at}`).slice(waits ? 0 : 1, waits ? i : Math.min(i, 2));
    const options = `{ dependsOn: [${before.join(", ")}], retainOnDelete: ${i === 0} }`;
    return `const r${i} = new ${classOf(manifest)}("r${i}", ${JSON.stringify(inputs)}, ${options});`;
  });
  return [`const k8s = require("@pulumi/kubernetes");`, ...lines, ""].join("\n");
}

/** A Role of `rbac.authorization.k8s.io/v1` is `k8s.rbac.v1.Role`; what has no class of its own is a CustomResource. */
function classOf({ apiVersion, kind }: KubeManifest): string {
  if (kind === "Memcached") return "k8s.apiextensions.CustomResource";
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["core", apiVersion];
  return `k8s.${group?.split(".")[0]}.${version}.${kind}`;
}
