import assert from "node:assert/strict";
import { createServer, type Server, type Socket } from "node:net";
import type { AddressInfo } from "node:net";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab, brief } from "./lab";

interface Deployment extends KubeObject {
  spec: { replicas: number; template: { spec: { containers: { name: string; ports?: { name?: string }[] }[] } } };
}

const registration = "/apis/admissionregistration.k8s.io/v1";

/** What people have reported of other operators, on a real API server. */
describe("public reports", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const deployment = (name: string) => lab.apps("deployments", name);
  const troubleLogged = () => lab.log.filter(({ level }) => level === "error" || level === "warn");
  const mine = () => ({ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": lab.namespace } } });

  it("operator-framework/operator-sdk#3968: labels that change all the time cause no conflict, and what is wanted is there at once", async () => {
    await lab.create("busy", { size: 0 });
    const path = lab.server.at("v1", "busy");
    for (let i = 1; i <= 40; i++)
      await lab.patch(path, {
        metadata: { labels: { turn: String(i) } },
        ...(i % 10 === 0 && { spec: { size: i / 10 } }),
      });
    await lab.awaits("four replicas", deployment("busy"), ({ spec }) => spec?.replicas === 4);
    await until("the status to be of the last generation", 5_000, async () => {
      const { metadata } = (await lab.get(path))!;
      return (await lab.status("busy")).observedGeneration === metadata.generation;
    });
    assert.deepEqual(
      lab.requests().filter(({ code }) => code === 409),
      [],
    );
    assert.deepEqual(troubleLogged(), []);
  });

  it("Altinity/clickhouse-operator#1904: quantities, numbers and empty values in any spelling are written once", async () => {
    await lab.create("spelt", {
      size: 0,
      memory: "1024Mi",
      imagePullSecrets: [],
      extraArgs: [],
      podLabels: {},
      affinity: {},
      tolerations: [{ operator: "Exists", tolerationSeconds: 60, effect: "NoExecute" }],
      topologySpreadConstraints: [],
      resources: { requests: { cpu: "1000m", memory: "2048Mi" }, limits: { cpu: 1, memory: "2097152Ki" } },
    });
    await lab.awaitCondition("spelt", "Ready", "True");
    const before = brief(lab.requests()).length;
    // Each of these makes a pass over the resource.
    for (let i = 0; i < 5; i++)
      await lab.patch(lab.server.at("v1", "spelt"), { metadata: { labels: { i: String(i) } } });
    await lab.create("later", { size: 0 });
    await lab.awaitCondition("later", "Ready", "True");
    const since = brief(lab.requests().slice(before)).filter((line) => line.includes("/spelt"));
    assert.deepEqual(since, []);
    assert.equal((await lab.get(deployment("spelt")))?.metadata.generation, 1);
  });

  it("kubernetes/kubernetes#113482: another port number is one rollout beside a container of the user's own", async () => {
    await lab.create("port", { size: 0 });
    await lab.awaitCondition("port", "Ready", "True");
    const containers = [{ name: "mine", image: "example.com/x:1", ports: [{ name: "mine", containerPort: 11311 }] }];
    const sidecar = { spec: { template: { spec: { containers } } } };
    await lab.server.ask("PATCH", deployment("port"), sidecar, "application/strategic-merge-patch+json");
    await lab.patch(lab.server.at("v1", "port"), { spec: { port: 11311 } });
    const moved = await lab.awaits<Deployment>(
      "the port in one write",
      deployment("port"),
      ({ metadata, spec }) => metadata.generation === 3 && spec.template.spec.containers.length === 2,
    );
    const ports = moved.spec.template.spec.containers.map(({ name, ports }) => [name, ports?.map((port) => port.name)]);
    assert.deepEqual(Object.fromEntries(ports as [string, string[]][]), { mine: ["mine"], memcached: ["memcached"] });
    await lab.awaitCondition("port", "Ready", "True");
    assert.deepEqual(
      lab.requests().filter(({ code }) => code === 422),
      [],
    );
  });

  it("prometheus-operator/prometheus-operator#8323: finalizers of others come and go during deletion, untouched", async () => {
    const path = lab.server.at("v1", "held");
    await lab.create("held", { size: 0 });
    await lab.awaitCondition("held", "Ready", "True");
    assert.equal((await lab.get(path))?.metadata.finalizers, undefined, "the operator needs none");
    await lab.patch(path, { metadata: { finalizers: ["example.com/a", "example.com/b"] } });
    await lab.delete(path);
    const before = lab.requests().length;
    await lab.patch(path, { metadata: { finalizers: ["example.com/b"] } });
    assert.deepEqual((await lab.get(path))?.metadata.finalizers, ["example.com/b"]);
    await lab.stop();
    await lab.patch(path, { metadata: { finalizers: null } });
    await lab.start();
    await until("the resource to be gone", 5_000, async () => !(await lab.get(path)));
    await until("its children to be gone", 45_000, async () => !(await lab.get(deployment("held"))));
    assert.deepEqual(
      brief(lab.requests().slice(before)).filter((line) => line.includes("/held")),
      [],
    );
  });

  it("dragonflydb/dragonfly-operator#408: nothing is made anew while a cache is deleted in the background, and all of it goes", async () => {
    await lab.create("gone", { size: 2, workload: "StatefulSet" });
    await lab.becomesReady("gone", 2);
    const before = lab.requests().length;
    await lab.delete(lab.server.at("v1", "gone"), "Background");
    await until("everything to be gone", 45_000, async () => {
      const left = [lab.apps("statefulsets", "gone"), lab.core("services", "gone"), lab.server.at("v1", "gone")];
      return (await Promise.all(left.map((path) => lab.get(path)))).every((object) => object === undefined);
    });
    assert.deepEqual(
      brief(lab.requests().slice(before)).filter((line) => line.includes("/gone")),
      [],
    );
    assert.deepEqual(troubleLogged(), []);
  });

  it("openshift/origin#10407: a policy that refuses a child is quoted, once for each child, and heals when it goes", async () => {
    const name = `no-services-${lab.namespace}`;
    await lab.server.client.json("POST", `${registration}/validatingadmissionpolicies`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          ...mine(),
          resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["services"] }],
        },
        validations: [{ expression: "false", message: "no Services here" }],
      },
    });
    await lab.server.client.json("POST", `${registration}/validatingadmissionpolicybindings`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    });
    try {
      const probe = { apiVersion: "v1", kind: "Service", metadata: { name: "probe" }, spec: { ports: [{ port: 1 }] } };
      await until("the policy to be in force", 20_000, async () => {
        return (await lab.server.ask("POST", `${lab.core("services")}?dryRun=All`, probe)).code === 422;
      });
      await lab.create("denied", { size: 1 });
      const { message } = await lab.awaitCondition("denied", "Degraded", "True", "AdmissionDenied");
      assert.equal(message.match(/no Services here/g)?.length, 1, message);
      assert.deepEqual(
        (await lab.status("denied")).servers,
        [],
        "there is no Service whose name would lead to servers",
      );
    } finally {
      await lab.server.client.request("DELETE", `${registration}/validatingadmissionpolicybindings/${name}`);
      await lab.server.client.request("DELETE", `${registration}/validatingadmissionpolicies/${name}`);
    }
    await lab.awaits("the Service", lab.core("services", "denied"), () => true);
    await lab.awaitCondition("denied", "Degraded", "False");
    assert.deepEqual((await lab.status("denied")).servers, [`denied.${lab.namespace}.svc.cluster.local:11211`]);
  });

  it("banzaicloud/koperator#1054: a webhook that does not answer is named, and holds up no other cache", async () => {
    const sockets = new Set<Socket>();
    const hole: Server = createServer((socket) => sockets.add(socket.on("error", () => undefined)));
    await new Promise<void>((resolve) => hole.listen(0, "127.0.0.1", resolve));
    const name = `hole-${lab.namespace}`;
    const { port } = hole.address() as AddressInfo;
    await lab.server.client.json("POST", `${registration}/validatingwebhookconfigurations`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: { name },
      webhooks: [
        {
          name: "hole.example.com",
          clientConfig: {
            url: `https://127.0.0.1:${port}/`,
            caBundle: readFileSync(join(lab.server.pki, "ca.crt")).toString("base64"),
          },
          ...mine(),
          objectSelector: { matchLabels: { "app.kubernetes.io/instance": "stuck" } },
          rules: [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] }],
          failurePolicy: "Fail",
          timeoutSeconds: 5,
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    try {
      const probe = {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "probe", labels: { "app.kubernetes.io/instance": "stuck" } },
        spec: {
          selector: { matchLabels: { a: "b" } },
          template: {
            metadata: { labels: { a: "b" } },
            spec: { containers: [{ name: "c", image: "example.com/x:1" }] },
          },
        },
      };
      await until("the webhook to be asked", 20_000, async () => {
        await lab.server.ask("POST", `${lab.apps("deployments")}?dryRun=All`, probe);
        return sockets.size > 0;
      });
      await lab.create("stuck", { size: 0 });
      await lab.create("free", { size: 0 });
      const begun = performance.now();
      await lab.awaitCondition("free", "Ready", "True");
      assert.ok(performance.now() - begun < 4_000, "the other cache had to wait");
      const { message } = await lab.awaitCondition("stuck", "Degraded", "True", "AdmissionDenied");
      assert.match(message, /failed calling webhook "hole\.example\.com"/);
    } finally {
      await lab.server.client.request("DELETE", `${registration}/validatingwebhookconfigurations/${name}`);
      for (const socket of sockets) socket.destroy();
      hole.close();
    }
    await until("the cache to be ready", 30_000, async () =>
      (await lab.status("stuck")).conditions?.some(({ type, status }) => type === "Ready" && status === "True"),
    );
  });
});
