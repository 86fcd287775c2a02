import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import type { KubeObject } from "../../../operator/runtime";
import { bundleOperator } from "../../../build/bundleOperator";
import { freePorts } from "../../../cluster/ports";
import { until } from "../../support/until";
import { Lab } from "./lab";
import { Operator, probe } from "./process";

interface Service extends KubeObject {
  spec: { type: string };
}

const samples = join(__dirname, "..", "..", "..", "deploy", "samples");

describe("the operator's process", function () {
  this.timeout(60_000);
  let lab: Lab;
  let bundle: string;
  before(async () => {
    bundle = mkdtempSync(join(tmpdir(), "memcached-operator-bundle-"));
    [lab] = await Promise.all([Lab.open(), bundleOperator(bundle)]);
    await lab.stop();
  });
  after(async () => {
    await lab.stop();
    rmSync(bundle, { recursive: true, force: true });
  });

  it("runs every sample as one bundled file, elects itself, serves probes and metrics, and ends on SIGTERM", async () => {
    const [health, metrics] = await freePorts(2);
    const operator = new Operator(
      bundle,
      [
        "--leader-elect",
        `--health-probe-bind-address=127.0.0.1:${health}`,
        `--metrics-bind-address=127.0.0.1:${metrics}`,
        "--metrics-secure=false",
        "--zap-log-level=debug",
      ],
      {
        KUBECONFIG: lab.server.kubeconfig,
        WATCH_NAMESPACE: lab.namespace,
        POD_NAMESPACE: lab.namespace,
        MEMCACHED_IMAGE: "example.com/memcached:of-the-operator",
        http_proxy: "http://proxy.example.com:3128",
        NO_PROXY: ".svc",
        CLUSTER_DOMAIN: "k8s.example.com",
      },
    );
    try {
      await until("/readyz to be 200", 15_000, async () => (await probe(health, "/readyz")).code === 200);
      const names: string[] = [];
      for (const file of readdirSync(samples)) {
        for (const document of parseAllDocuments(readFileSync(join(samples, file), "utf8"))) {
          const sample = document.toJS() as KubeObject | null;
          if (!sample) continue;
          names.push(sample.metadata.name);
          const path = lab.server.at(sample.apiVersion.split("/")[1] ?? "", sample.metadata.name);
          await lab.server.client.apply(path, sample);
        }
      }
      assert.ok(names.length >= 2);
      for (const name of new Set(names)) {
        const service = await lab.awaits<Service>("the Service", lab.core("services", name), () => true);
        if (service.spec.type === "LoadBalancer") await lab.giveAddress(name);
        await lab.becomesReady(name);
      }
      const { spec } = (await lab.pods(names[0] ?? ""))[0] as unknown as {
        spec: { containers: { image: string; env: { name: string; value: string }[] }[] };
      };
      const { image, env } = spec.containers[0] ?? { image: "", env: [] };
      assert.match(image, /memcached/);
      assert.deepEqual(
        env.map(({ name, value }) => `${name}=${value}`),
        [
          "HTTP_PROXY=http://proxy.example.com:3128",
          "http_proxy=http://proxy.example.com:3128",
          "NO_PROXY=.svc",
          "no_proxy=.svc",
        ],
      );
      const [address] = (await lab.status("memcached-sample")).servers ?? [];
      assert.equal(address, `memcached-sample.${lab.namespace}.svc.k8s.example.com:11211`);
      const text = (await probe(metrics, "/metrics")).text;
      assert.match(text, /controller_runtime_reconcile_total\{[^}]*controller="memcached"[^}]*\} [1-9]/);
      assert.match(text, /leader_election_master_status\{[^}]*\} 1/);
    } finally {
      const begun = performance.now();
      const code = await operator.end("SIGTERM");
      assert.equal(code, 0, operator.output);
      assert.ok(performance.now() - begun < 2_000, "SIGTERM took 2 s or more");
    }
    for (const line of operator.output.trim().split("\n")) assert.doesNotThrow(() => JSON.parse(line), line);
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${lab.namespace}/leases/memcached-operator.cache.example.com`;
    const { spec } = (await lab.get(lease)) as unknown as { spec: { holderIdentity?: string } };
    assert.equal(spec.holderIdentity ?? "", "", "the lease was not released");
  });

  const refused: [string[], Record<string, string>, RegExp][] = [
    [["--frobnicate"], {}, /^memcached-operator: unknown flag --frobnicate: --help lists the flags\n$/],
    [["--workers=many"], {}, /^memcached-operator: --workers=many: give a whole number from 1 to 1000\n$/],
    [
      ["--leader-elect", "--metrics-bind-address", "8443"],
      {},
      /^memcached-operator: --metrics-bind-address=8443: .*\n$/,
    ],
    [[], { CLUSTER_DOMAIN: "local." }, /^memcached-operator: CLUSTER_DOMAIN=local\.: give a DNS name .*\n$/],
    [[], { WATCH_NAMESPACE: "Not_A_Name" }, /^memcached-operator: namespaces to watch "Not_A_Name": .*\n$/],
  ];
  for (const [args, env, line] of refused)
    it(`refuses ${[...args, ...Object.entries(env).flat()].join(" ")} in one line, with 2`, async () => {
      const operator = new Operator(bundle, args, { HOME: bundle, ...env });
      assert.equal(await operator.end(), 2);
      assert.match(operator.output, line);
    });

  it("says in one line that there is no cluster to be found", async () => {
    const operator = new Operator(bundle, [], { HOME: bundle });
    assert.equal(await operator.end(), 1);
    assert.match(operator.output, /^memcached-operator: no cluster is configured: .*\n$/);
  });

  it("prints its version and its flags", async () => {
    const version = new Operator(bundle, ["--version"], {});
    assert.equal(await version.end(), 0);
    assert.match(version.output, /^memcached-operator \d+\.\d+\.\d+\n$/);
    const help = new Operator(bundle, ["--help"], {});
    assert.equal(await help.end(), 0);
    for (const flag of ["--leader-elect", "--watch-namespaces", "--zap-log-level", "--metrics-secure"])
      assert.ok(help.output.includes(flag), flag);
  });

  it("ManageIQ/kubeclient#568, kube-rs/kube#1328: gets in by an exec plugin that reads KUBERNETES_EXEC_INFO, and tells why while the plugin fails", async () => {
    const [health] = await freePorts(1);
    const plugin = join(bundle, "plugin");
    const write = (text: string) => writeFileSync(plugin, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
    write("echo 'you are not logged in' >&2; exit 7");
    type Kubeconfig = { clusters: { cluster: { server: string } }[]; users: { user: Record<string, unknown> }[] };
    const kubeconfig = JSON.parse(readFileSync(lab.server.kubeconfig, "utf8")) as Kubeconfig;
    const user = kubeconfig.users[0]!;
    const pem = (field: string) => Buffer.from(String(user.user[field]), "base64").toString();
    const status = { clientCertificateData: pem("client-certificate-data"), clientKeyData: pem("client-key-data") };
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "./plugin", interactiveMode: "Never" };
    user.user = { exec: { ...exec, provideClusterInfo: true } };
    writeFileSync(join(bundle, "exec-kubeconfig"), JSON.stringify(kubeconfig));
    const operator = new Operator(
      bundle,
      [`--kubeconfig=${join(bundle, "exec-kubeconfig")}`, `--health-probe-bind-address=127.0.0.1:${health}`],
      { WATCH_NAMESPACE: lab.namespace },
    );
    try {
      await until("/readyz to tell the plugin's words", 15_000, async () =>
        /exec plugin ".*plugin" failed with exit code 7: you are not logged in/.test(
          (await probe(health, "/readyz")).text,
        ),
      );
      assert.equal((await probe(health, "/healthz")).code, 200);
      writeFileSync(join(bundle, "status.json"), JSON.stringify(status));
      const program = `
        const { apiVersion, spec } = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
        if (spec.interactive || spec.cluster.server !== "${lab.server.url}") process.exit(8);
        const status = JSON.parse(require("fs").readFileSync("status.json", "utf8"));
        console.log(JSON.stringify({ apiVersion, kind: "ExecCredential", status }));`;
      write(`exec ${process.execPath} -e '${program}'`);
      await until("/readyz to be 200", 15_000, async () => (await probe(health, "/readyz")).code === 200);
    } finally {
      assert.equal(await operator.end("SIGTERM"), 0, operator.output);
    }
  });

  it("lives without an API server, says so, and goes when told to", async () => {
    const [health, nowhere] = await freePorts(2);
    const kubeconfig = join(bundle, "kubeconfig");
    const text = readFileSync(lab.server.kubeconfig, "utf8").replaceAll(lab.server.url, `https://127.0.0.1:${nowhere}`);
    writeFileSync(kubeconfig, text);
    const operator = new Operator(
      bundle,
      [`--kubeconfig=${kubeconfig}`, `--health-probe-bind-address=127.0.0.1:${health}`],
      {},
    );
    const answer = await until("/readyz to name what is missing", 15_000, async () => {
      const found = await probe(health, "/readyz");
      return found.code === 500 && found.text.includes("ECONNREFUSED") && found;
    });
    assert.match(answer.text, /memcacheds\.cache\.example\.com/);
    assert.equal((await probe(health, "/healthz")).code, 200);
    assert.equal(await operator.end("SIGTERM"), 0);
  });
});
