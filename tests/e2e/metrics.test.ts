import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../cluster/paths";
import { writePki } from "../../cluster/pki";
import { run } from "../../cluster/run";
import { operatorManifests } from "../../components/manifests";
import { testCluster, type TestCluster } from "../support/testCluster";
import { until } from "../support/until";

const SYSTEM = "memcached-operator-system";
const SCRAPERS = "scrapers";
const SERVER_NAME = `memcached-operator-controller-manager-metrics-service.${SYSTEM}.svc`;
const BINDING = "metrics-test-scraper";

/** Milliseconds for what needs pods to start. */
const PODS_MS = 90_000;

/**
 * Runs with Node, here and in a pod: prints status and body of the metrics at URL, read with the token of TOKEN or of the file TOKEN_FILE.
 * Only with a CA is the certificate verified: the self-signed one is known to the operator alone. A connection that leads to a pod
 * that is gone would else be tried for over a minute.
 */
const SCRAPE = `
  const { TOKEN, TOKEN_FILE, URL, CA, SERVER_NAME } = process.env;
  const token = TOKEN_FILE ? require("node:fs").readFileSync(TOKEN_FILE, "utf8") : TOKEN;
  const headers = token ? { authorization: "Bearer " + token } : {};
  const tls = CA ? { ca: CA, servername: SERVER_NAME } : { rejectUnauthorized: false };
  require("node:https").get(URL, { headers, ...tls, signal: AbortSignal.timeout(5000) }, (response) => {
    process.stdout.write(response.statusCode + "\\n");
    response.pipe(process.stdout);
  }).on("error", (error) => process.stdout.write(error.message));
`;

describe("the operator's metrics in a cluster", function () {
  this.timeout(180_000);
  let cluster: TestCluster;
  /** The metrics Service as the machine reaches it. */
  let url: string;

  const scripts = (script: string, ...args: string[]) => {
    const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
    return run("node", ["--require", "tsx/cjs", `scripts/${script}.ts`, ...args], { cwd: repositoryRoot, env });
  };
  const tokenOf = async (account: string) =>
    (await cluster.kubectlRun(["create", "token", account, "-n", SCRAPERS])).trim();
  const scrape = async (token = "", env: Record<string, string> = {}) => {
    const given = { ...process.env, URL: url, TOKEN: token, ...env };
    const text = await run(process.execPath, ["-e", SCRAPE], { env: given });
    return { status: text.split("\n", 1)[0], text };
  };

  const rolledOut = () =>
    cluster.kubectlRun([
      ...["rollout", "status", "--timeout=90s"],
      ...["-n", SYSTEM, "deployment/memcached-operator-controller-manager"],
    ]);

  before(async () => {
    cluster = await testCluster();
    const { operator, memcached } = cluster.images;
    await scripts("deploy", operator, "--memcached-image", memcached);
    await cluster.kubectlRun(["create", "namespace", SCRAPERS]);
    await cluster.kubectlRun(["label", "namespace", SCRAPERS, "pod-security.kubernetes.io/enforce=restricted"]);
    for (const account of ["scraper", "stranger"])
      await cluster.kubectlRun(["create", "serviceaccount", account, "-n", SCRAPERS]);
    await cluster.kubectlRun([
      ...["create", "clusterrolebinding", BINDING, "--clusterrole=memcached-operator-metrics-reader"],
      `--serviceaccount=${SCRAPERS}:scraper`,
    ]);
    await rolledOut();
    const service = ["get", "service", "memcached-operator-controller-manager-metrics-service", "-n", SYSTEM];
    const [address, port] = (
      await cluster.kubectlRun([...service, "-o", "jsonpath={.spec.clusterIP} {.spec.ports[?(@.name=='https')].port}"])
    ).split(" ");
    assert.equal(port, "8443");
    url = `https://${address}:${port}/metrics`;
    await until("the Service to lead to the operator", PODS_MS, async () => {
      const { status, text } = await scrape();
      if (status !== "401") throw new Error(text);
      return true;
    });
  });

  after(async () => {
    await cluster?.kubectlTry(["delete", "clusterrolebinding", BINDING, "--ignore-not-found"]);
    await cluster?.kubectlTry(["delete", "namespace", SCRAPERS, "--ignore-not-found", "--wait=false"]);
    // The next test installs the operator itself, and into a namespace that is going it cannot.
    if (cluster) await scripts("undeploy");
  });

  it("are read with a token of the metrics-reader role, through the metrics Service", async () => {
    const token = await tokenOf("scraper");
    const { text } = await until("200", 10_000, async () => {
      const answer = await scrape(token);
      return answer.status === "200" && answer;
    });
    for (const name of [
      'controller_runtime_reconcile_total{controller="memcached",result="success"}',
      'leader_election_master_status{name="memcached-operator.cache.example.com"} 1',
      "process_resident_memory_bytes",
    ])
      assert.ok(text.includes(`\n${name}`), name);
  });

  it("are refused to a token without the right, and to none or a bad one", async () => {
    assert.equal((await scrape(await tokenOf("stranger"))).status, "403");
    assert.equal((await scrape()).status, "401");
    assert.equal((await scrape(`${(await tokenOf("scraper")).slice(0, -6)}AAAAAA`)).status, "401");
  });

  it("are read by a restricted pod with the token that the kubelet mounts, under the Service's name", async () => {
    const container = {
      name: "scraper",
      image: cluster.images.operator,
      imagePullPolicy: "Never",
      command: ["node", "-e", SCRAPE],
      env: [
        { name: "URL", value: `https://${SERVER_NAME}:8443/metrics` },
        { name: "TOKEN_FILE", value: "/var/run/secrets/kubernetes.io/serviceaccount/token" },
      ],
      securityContext: {
        allowPrivilegeEscalation: false,
        capabilities: { drop: ["ALL"] },
        runAsNonRoot: true,
        seccompProfile: { type: "RuntimeDefault" },
      },
    };
    const spec = { serviceAccountName: "scraper", restartPolicy: "Never", containers: [container] };
    const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "scraper", namespace: SCRAPERS }, spec };
    await cluster.kubectlRun(["apply", "-f", "-"], JSON.stringify(pod));
    await until("the pod to have ended", PODS_MS, async () => {
      const phase = await cluster.kubectlRun([
        "get",
        "pod",
        "scraper",
        "-n",
        SCRAPERS,
        "-o",
        "jsonpath={.status.phase}",
      ]);
      return phase === "Succeeded";
    });
    const logs = await cluster.kubectlRun(["logs", "scraper", "-n", SCRAPERS]);
    assert.match(logs, /^200\n/);
    assert.match(logs, /controller_runtime_reconcile_total\{controller="memcached"/);
  });

  it("leave no token in the operator's log", async () => {
    const token = await tokenOf("scraper");
    await scrape(token);
    const logs = await cluster.kubectlRun(["logs", "-n", SYSTEM, "deployment/memcached-operator-controller-manager"]);
    assert.match(logs, /"secure":true.*"Serving metrics server"/);
    assert.ok(!logs.includes(token.split(".")[2] ?? token));
  });

  it("are served with the certificate of a Secret, which whoever knows its authority can verify", async () => {
    const pki = join(cluster.settings.dir, "metrics-pki");
    await writePki(pki, [{ file: "tls", commonName: "metrics", names: [SERVER_NAME] }]);
    const files = [`--cert=${join(pki, "tls.crt")}`, `--key=${join(pki, "tls.key")}`];
    await cluster.kubectlRun(["create", "secret", "tls", "metrics-cert", "-n", SYSTEM, ...files]);
    const { operator: image, memcached: operandImage } = cluster.images;
    const items = operatorManifests({ image, operandImage, metrics: { certSecret: "metrics-cert" } });
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    await cluster.kubectlRun(["apply", "--server-side", "--force-conflicts", "-f", "-"], list);
    await rolledOut();
    const verify = { SERVER_NAME, CA: readFileSync(join(pki, "ca.crt"), "utf8") };
    const token = await tokenOf("scraper");
    await until("verified metrics", PODS_MS, async () => {
      const { status, text } = await scrape(token, verify);
      if (status !== "200") throw new Error(text.slice(0, 200));
      return true;
    });
    // The Service may lead to the pod of before for a moment yet.
    const other = await until("an answer to another name", PODS_MS, async () => {
      const { text } = await scrape(token, { ...verify, SERVER_NAME: "other.svc" });
      if (/EHOSTUNREACH|ECONNREFUSED|ECONNRESET|aborted/.test(text)) throw new Error(text);
      return { text };
    });
    assert.match(other.text, /does not match/);
  });
});
