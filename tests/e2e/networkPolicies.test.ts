import { testCluster, type TestCluster } from "../support/testCluster";
import { until } from "../support/until";

const NAMESPACE = "policies";
const HOST = `server.${NAMESPACE}.svc.cluster.local`;

/** Milliseconds for a change to get to the node. */
const CHANGE_MS = 30_000;

describe("NetworkPolicies in the embedded cluster", function () {
  this.timeout(120_000);
  let cluster: TestCluster;

  const apply = (...items: object[]) =>
    cluster.kubectlRun(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items }));

  /** A pod of the memcached image; without a command it serves. */
  const pod = (name: string, labels: Record<string, string>, command?: string[]) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: NAMESPACE, labels },
    spec: {
      containers: [{ name: "memcached", image: cluster.images.memcached, command }],
      terminationGracePeriodSeconds: 0,
    },
  });

  /** What memcached answers to a pod that asks it; empty when no connection was made within 2 s. */
  const answer = async (from: string) => {
    const ask = `printf 'version\\r\\nquit\\r\\n' | busybox nc -w 2 ${HOST} 11211`;
    const { stdout } = await cluster.kubectlTry(["exec", "-n", NAMESPACE, from, "--", "sh", "-c", ask]);
    return stdout.trim();
  };
  const served = (from: string) =>
    until(`the pod "${from}" to get an answer`, CHANGE_MS, async () => /^VERSION /.test(await answer(from)));
  const refused = (from: string) =>
    until(`the pod "${from}" to get no answer`, CHANGE_MS, async () => (await answer(from)) === "");

  before(async () => {
    cluster = await testCluster();
    await cluster.kubectlRun(["create", "namespace", NAMESPACE]);
    const service = { selector: { app: "server" }, ports: [{ port: 11211 }] };
    const waits = ["sleep", "3600"];
    await apply(pod("server", { app: "server" }), pod("friend", { access: "yes" }, waits), pod("stranger", {}, waits), {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "server", namespace: NAMESPACE },
      spec: service,
    });
    const pods = ["pod/server", "pod/friend", "pod/stranger"];
    await cluster.kubectlRun(["wait", "--for=condition=Ready", "--timeout=60s", "-n", NAMESPACE, ...pods]);
  });

  after(() => cluster.kubectlRun(["delete", "namespace", NAMESPACE, "--wait=false"]));

  it("where there is none, every pod is served", async () => {
    await served("friend");
    await served("stranger");
  });

  it("a pod with the label is served, and the others are not", async () => {
    await apply({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "server", namespace: NAMESPACE },
      spec: {
        podSelector: { matchLabels: { app: "server" } },
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ podSelector: { matchLabels: { access: "yes" } } }], ports: [{ port: 11211 }] }],
      },
    });
    await refused("stranger");
    await served("friend");
    await refused("stranger");
  });

  it("a pod that gets the label is served, and one that loses it is not", async () => {
    await cluster.kubectlRun(["label", "-n", NAMESPACE, "pod/stranger", "access=yes"]);
    await cluster.kubectlRun(["label", "-n", NAMESPACE, "pod/friend", "access-"]);
    await served("stranger");
    await refused("friend");
  });

  it("every pod is served again once the policy is gone", async () => {
    await cluster.kubectlRun(["delete", "networkpolicy", "server", "-n", NAMESPACE]);
    await served("friend");
    await served("stranger");
  });
});
