/** What a cluster's API server holds from the start: the DNS Service and the rights of CoreDNS. */
import type { ApiClient } from "./apiClient";
import { addresses, type ClusterSettings } from "./settings";

const ports = [
  { name: "dns", port: 53, protocol: "UDP" },
  { name: "dns-tcp", port: 53, protocol: "TCP" },
];

/** Applies the objects; again changes nothing. */
export async function applyAddons(client: ApiClient, settings: ClusterSettings): Promise<void> {
  const { dnsService, gateway } = addresses(settings);
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const name = "memcached-cluster:coredns";
  const metadata = { name: "kube-dns", namespace: "kube-system" };
  await client.apply(`/api/v1/namespaces/kube-system/services/kube-dns`, {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { clusterIP: dnsService, ports: ports.map((port) => ({ ...port, targetPort: port.port })) },
  });
  await client.apply("/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices/kube-dns", {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": "kube-dns" } },
    addressType: "IPv4",
    endpoints: [{ addresses: [gateway], conditions: { ready: true } }],
    ports,
  });
  await client.apply(`${rbac}/clusterroles/${name}`, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name },
    rules: [
      { apiGroups: [""], resources: ["services", "namespaces", "pods"], verbs: ["list", "watch"] },
      { apiGroups: ["discovery.k8s.io"], resources: ["endpointslices"], verbs: ["list", "watch"] },
    ],
  });
  await client.apply(`${rbac}/clusterrolebindings/${name}`, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRoleBinding",
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "system:coredns" }],
  });
}
