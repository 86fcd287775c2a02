import assert from "node:assert/strict";
import { output, Output } from "@pulumi/pulumi";
import { operatorManifests, operatorNetworkPolicies } from "../../../components/manifests";
import type { KubeManifest, OperatorManifestArgs } from "../../../components/manifests";

const image = "registry.example.com/memcached-operator:1";
const manifests = (args: Partial<OperatorManifestArgs> = {}) => operatorManifests({ image, ...args });
const titles = (list: KubeManifest[]) =>
  list.map(
    ({ kind, metadata: { name, namespace } }) => `${kind} ${namespace ? `${String(namespace)}/` : ""}${String(name)}`,
  );
const find = (list: KubeManifest[], kind: string, suffix: string) =>
  list.find((m) => m.kind === kind && String(m.metadata.name).endsWith(suffix))!;
const container = (list: KubeManifest[]) => find(list, "Deployment", "").spec.template.spec.containers[0];

/** Every right of a role, as "group/resource: verbs". */
const rights = (role: KubeManifest) =>
  role.rules.flatMap((rule: { apiGroups: string[]; resources: string[]; verbs: string[] }) =>
    rule.resources.map((resource) => `${rule.apiGroups.join()}/${resource}: ${[...rule.verbs].sort().join(" ")}`),
  );

describe("operatorManifests", () => {
  it("gives the guides' objects under their names, in an order that applies", () => {
    const ns = "memcached-operator-system";
    assert.deepEqual(titles(manifests()), [
      `Namespace ${ns}`,
      `ServiceAccount ${ns}/memcached-operator-controller-manager`,
      `Role ${ns}/memcached-operator-leader-election-role`,
      `RoleBinding ${ns}/memcached-operator-leader-election-rolebinding`,
      "ClusterRole memcached-operator-manager-role",
      "ClusterRoleBinding memcached-operator-manager-rolebinding",
      "ClusterRole memcached-operator-secrets-role",
      "ClusterRole memcached-operator-metrics-auth-role",
      "ClusterRoleBinding memcached-operator-metrics-auth-rolebinding",
      "ClusterRole memcached-operator-metrics-reader",
      "ClusterRole memcached-operator-memcached-admin-role",
      "ClusterRole memcached-operator-memcached-editor-role",
      "ClusterRole memcached-operator-memcached-viewer-role",
      `Deployment ${ns}/memcached-operator-controller-manager`,
      `Service ${ns}/memcached-operator-controller-manager-metrics-service`,
    ]);
  });

  it("gives the operator the rights it uses and no others", () => {
    assert.deepEqual(rights(find(manifests(), "ClusterRole", "manager-role")), [
      "cache.example.com/memcacheds: get list watch",
      "cache.example.com/memcacheds/status: patch update",
      "cache.example.com/memcacheds/scale: patch",
      "cache.example.com/memcacheds/finalizers: update",
      "apps/deployments: create delete get list patch watch",
      "apps/statefulsets: create delete get list patch watch",
      "/services: create delete get list patch watch",
      "policy/poddisruptionbudgets: create delete get list patch watch",
      "networking.k8s.io/networkpolicies: create delete get list patch watch",
      "apps/replicasets: get list watch",
      "/pods: get list watch",
      "events.k8s.io/events: create list patch",
    ]);
    assert.deepEqual(rights(find(manifests(), "Role", "leader-election-role")), [
      "coordination.k8s.io/leases: create get patch update",
      "events.k8s.io/events: create patch",
    ]);
  });

  it("binds every role it names to the operator's account, and the roles for people to nobody", () => {
    const list = manifests();
    const bindings = list.filter((m) => m.kind.endsWith("Binding"));
    assert.equal(bindings.length, 3);
    for (const { roleRef, subjects, metadata } of bindings) {
      const role = list.find((m) => m.kind === roleRef.kind && m.metadata.name === roleRef.name)!;
      assert.equal(role.metadata.namespace, metadata.namespace);
      assert.deepEqual(subjects, [
        {
          kind: "ServiceAccount",
          name: "memcached-operator-controller-manager",
          namespace: "memcached-operator-system",
        },
      ]);
    }
  });

  it("lets editors scale and viewers only look", () => {
    assert.deepEqual(rights(find(manifests(), "ClusterRole", "editor-role")), [
      "cache.example.com/memcacheds: create delete get list patch update watch",
      "cache.example.com/memcacheds/scale: get patch update",
      "cache.example.com/memcacheds/status: get",
    ]);
    assert.deepEqual(rights(find(manifests(), "ClusterRole", "viewer-role")), [
      "cache.example.com/memcacheds: get list watch",
      "cache.example.com/memcacheds/scale: get",
      "cache.example.com/memcacheds/status: get",
    ]);
  });

  it("lets the operator read Secrets nowhere, in the namespaces that are named, or everywhere", () => {
    const bound = (secretAccess?: string[]) =>
      titles(manifests({ secretAccess })).filter((title) => title.includes("secrets-rolebinding"));
    assert.deepEqual(rights(find(manifests(), "ClusterRole", "secrets-role")), ["/secrets: get", "/configmaps: get"]);
    assert.deepEqual(bound(), []);
    assert.deepEqual(bound(["a", "b"]), [
      "RoleBinding a/memcached-operator-secrets-rolebinding",
      "RoleBinding b/memcached-operator-secrets-rolebinding",
    ]);
    assert.deepEqual(bound(["*"]), ["ClusterRoleBinding memcached-operator-secrets-rolebinding"]);
  });

  it("gives a Role in each watched namespace and no rights in others", () => {
    const list = manifests({ watchNamespaces: ["a", "b"] });
    const clusterRoles = titles(list).filter((title) => title.startsWith("ClusterRoleBinding"));
    assert.deepEqual(clusterRoles, ["ClusterRoleBinding memcached-operator-metrics-auth-rolebinding"]);
    const roles = titles(list).filter((title) => /^Role(Binding)? .*manager-role/.test(title));
    assert.deepEqual(roles, [
      "Role a/memcached-operator-manager-role",
      "RoleBinding a/memcached-operator-manager-rolebinding",
      "Role b/memcached-operator-manager-role",
      "RoleBinding b/memcached-operator-manager-rolebinding",
    ]);
    assert.deepEqual(
      container(list).env.find((e: { name: string }) => e.name === "WATCH_NAMESPACE"),
      { name: "WATCH_NAMESPACE", value: "a,b" },
    );
  });

  it("runs pods that the restricted Pod Security standard admits, in a namespace that asks for it", () => {
    const list = manifests();
    const pod = find(list, "Deployment", "").spec.template.spec;
    assert.deepEqual(pod.securityContext, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    assert.deepEqual(container(list).securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    });
    const labels = list[0]!.metadata.labels as Record<string, string>;
    assert.equal(labels["pod-security.kubernetes.io/enforce"], "restricted");
  });

  it("starts the manager with the guides' flags, probes and environment", () => {
    const manager = container(manifests({ operandImage: "memcached:x", proxy: { noProxy: ".svc" } }));
    assert.deepEqual(manager.args, [
      "--leader-elect",
      "--health-probe-bind-address=:8081",
      "--metrics-bind-address=:8443",
    ]);
    assert.deepEqual(manager.env, [
      { name: "MEMCACHED_IMAGE", value: "memcached:x" },
      { name: "POD_NAMESPACE", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } } },
      { name: "NO_PROXY", value: ".svc" },
    ]);
    assert.deepEqual(manager.livenessProbe.httpGet, { path: "/healthz", port: "health" });
    assert.deepEqual(manager.readinessProbe.httpGet, { path: "/readyz", port: "health" });
  });

  it("tells the operator the cluster's domain only when it is given", () => {
    const { args } = container(manifests({ clusterDomain: "k8s.example.com" }));
    assert.ok(args.includes("--cluster-domain=k8s.example.com"), args.join(" "));
  });

  it("serves metrics over HTTPS to those who may get them, by a Service of that port", () => {
    const list = manifests();
    const [metrics] = container(list).ports;
    assert.deepEqual(metrics, { name: "metrics", containerPort: 8443, protocol: "TCP" });
    assert.deepEqual(find(list, "Service", "metrics-service").spec.ports, [
      { name: "https", port: 8443, protocol: "TCP", targetPort: "metrics" },
    ]);
    assert.deepEqual(rights(find(list, "ClusterRole", "metrics-auth-role")), [
      "authentication.k8s.io/tokenreviews: create",
      "authorization.k8s.io/subjectaccessreviews: create",
    ]);
    assert.deepEqual(find(list, "ClusterRole", "metrics-reader").rules, [
      { nonResourceURLs: ["/metrics"], verbs: ["get"] },
    ]);
    assert.equal(find(list, "Deployment", "").spec.template.spec.volumes, undefined);
  });

  it("mounts the Secret of a certificate where the manager reads it", () => {
    const list = manifests({ metrics: { certSecret: "metrics-cert", port: 9443 } });
    const manager = container(list);
    const { volumes } = find(list, "Deployment", "").spec.template.spec;
    assert.deepEqual(volumes, [{ name: "metrics-certs", secret: { secretName: "metrics-cert" } }]);
    const [{ name, mountPath, readOnly }] = manager.volumeMounts;
    assert.deepEqual([name, readOnly], ["metrics-certs", true]);
    assert.ok(manager.args.includes(`--metrics-cert-path=${mountPath}`));
    assert.ok(manager.args.includes("--metrics-bind-address=:9443"));
  });

  it("serves them over HTTP when they are not to be secure, with no right to ask who reads them", () => {
    const list = manifests({ metrics: { secure: false, certSecret: "unused" } });
    const manager = container(list);
    assert.deepEqual(manager.args.slice(2), ["--metrics-bind-address=:8080", "--metrics-secure=false"]);
    assert.equal(manager.volumeMounts, undefined);
    assert.deepEqual(find(list, "Service", "metrics-service").spec.ports, [
      { name: "http", port: 8080, protocol: "TCP", targetPort: "metrics" },
    ]);
    assert.deepEqual(
      titles(list).filter((title) => /ClusterRole.*metrics/.test(title)),
      [],
    );
  });

  it("has a NetworkPolicy beside the install that lets labelled namespaces scrape, and no one else", () => {
    const [policy] = operatorNetworkPolicies({ image });
    const pods = find(manifests(), "Deployment", "").spec.template.metadata.labels;
    for (const [key, value] of Object.entries(policy!.spec.podSelector.matchLabels)) assert.equal(pods[key], value);
    assert.deepEqual(policy!.spec.ingress, [
      {
        from: [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
        ports: [{ port: 8443, protocol: "TCP" }],
      },
    ]);
    assert.deepEqual(operatorNetworkPolicies({ image, metrics: { enabled: false } }), []);
  });

  it("leaves metrics out when they are off", () => {
    const list = manifests({ metrics: { enabled: false }, leaderElect: false, logLevel: "debug" });
    assert.deepEqual(
      titles(list).filter((title) => title.includes("metrics")),
      [],
    );
    const manager = container(list);
    assert.deepEqual(manager.args, [
      "--leader-elect=false",
      "--health-probe-bind-address=:8081",
      "--metrics-bind-address=0",
      "--log-level=debug",
    ]);
    assert.deepEqual(
      manager.ports.map((p: { name: string }) => p.name),
      ["health"],
    );
  });

  it("keeps two installs apart by prefix: names, selectors and the metrics they serve", () => {
    const [one, two] = [manifests(), manifests({ namePrefix: "blue-", namespace: "blue" })];
    const shared = titles(one).filter((title) => titles(two).includes(title));
    assert.deepEqual(shared, []);
    const selector = (list: KubeManifest[]) => find(list, "Service", "").spec.selector;
    assert.notDeepEqual(selector(one), selector(two));
    const pods = find(two, "Deployment", "").spec.template.metadata.labels;
    for (const [key, value] of Object.entries(selector(two))) assert.equal(pods[key], value);
  });

  it("puts labels and annotations on every object, and keeps Pulumi's own off the pods", () => {
    const annotations = { owner: "platform", "pulumi.com/skipAwait": "true" };
    const list = manifests({ labels: { team: "a", "control-plane": "mine" }, annotations });
    for (const { metadata } of list) {
      assert.equal((metadata.labels as Record<string, string>).team, "a");
      assert.deepEqual(metadata.annotations, annotations);
    }
    const { template, selector } = find(list, "Deployment", "").spec;
    assert.equal(template.metadata.labels["control-plane"], selector.matchLabels["control-plane"]);
    assert.equal(template.metadata.annotations.owner, "platform");
    assert.equal(template.metadata.annotations["pulumi.com/skipAwait"], undefined);
  });

  it("is plain data for plain arguments, and leaves only the place of an unknown one unknown", () => {
    const plain = manifests({ labels: {}, tolerations: [], watchNamespaces: ["a"] });
    assert.deepEqual(JSON.parse(JSON.stringify(plain)), plain);

    const late = manifests({ image: output("late"), namespace: output("late-ns") });
    assert.ok(Output.isInstance(container(late).image));
    assert.equal(container(late).args[0], "--leader-elect");
    assert.equal(find(late, "Deployment", "").metadata.name, "memcached-operator-controller-manager");
  });
});
