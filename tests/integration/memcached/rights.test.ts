import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { freePorts } from "../../../cluster/ports";
import type { KubeObject } from "../../../operator/runtime";
import { bundleOperator } from "../../../build/bundleOperator";
import { until } from "../../support/until";
import { Lab } from "./lab";
import { accountKubeconfig, Operator, probe } from "./process";

const root = join(__dirname, "..", "..", "..");
const systemNamespace = "memcached-operator-system";
const rbac = "/apis/rbac.authorization.k8s.io/v1";

/** Where the API server keeps the objects of install.yaml that give the operator its rights. */
const paths: Record<string, string> = {
  Namespace: "/api/v1/namespaces",
  ServiceAccount: `/api/v1/namespaces/${systemNamespace}/serviceaccounts`,
  Role: `${rbac}/namespaces/${systemNamespace}/roles`,
  RoleBinding: `${rbac}/namespaces/${systemNamespace}/rolebindings`,
  ClusterRole: `${rbac}/clusterroles`,
  ClusterRoleBinding: `${rbac}/clusterrolebindings`,
};

const account = `${paths.ServiceAccount}/memcached-operator-controller-manager`;

describe("the operator with the rights of install.yaml", function () {
  this.timeout(90_000);
  let lab: Lab;
  let folder: string;
  const made: string[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "memcached-operator-rights-"));
    [lab] = await Promise.all([Lab.open(), bundleOperator(folder)]);
    await lab.stop();
    for (const document of parseAllDocuments(readFileSync(join(root, "deploy", "install.yaml"), "utf8"))) {
      const object = document.toJS() as KubeObject;
      const collection = paths[object.kind];
      if (!collection) continue;
      await lab.server.client.apply(`${collection}/${object.metadata.name}`, object);
      made.push(`${collection}/${object.metadata.name}`);
    }
  });
  after(async () => {
    for (const path of made.reverse()) await lab.server.client.request("DELETE", path);
    rmSync(folder, { recursive: true, force: true });
  });

  it("does all its work, and is refused nothing", async () => {
    const [health] = await freePorts(1);
    const operator = new Operator(
      folder,
      [
        "--leader-elect",
        `--health-probe-bind-address=127.0.0.1:${health}`,
        `--kubeconfig=${await accountKubeconfig(lab.server, account, folder)}`,
      ],
      { POD_NAMESPACE: systemNamespace },
    );
    try {
      let missing = "nothing listens";
      const isReady = async () => {
        const { code, text } = await probe(health, "/readyz");
        missing = text;
        return code === 200;
      };
      await until("/readyz to be 200", 15_000, isReady).catch((error: Error) => {
        throw new Error(`${error.message}: ${missing}\n${operator.output}`);
      });
      await lab.create("plain", { size: 1 });
      // The API server's own plugin against false owners learns of a new kind within 30 s.
      await until("a pod to be made ready", 45_000, async () => (await lab.readyPods("plain")) === 1);
      await lab.awaitCondition("plain", "Ready", "True");
      const pod = (await lab.pods("plain"))[0]?.metadata.name ?? "";
      const waiting = { reason: "InvalidImageName", message: "no" };
      await lab.setContainer(pod, { state: { waiting } }, false);
      await lab.awaitCondition("plain", "Degraded", "True", "InvalidImageName");
      await until("the Warning Event", 10_000, async () => {
        const { items } = await lab.server.client.json<{ items: { reason: string }[] }>("GET", lab.core("events"));
        return items.some(({ reason }) => reason === "InvalidImageName");
      });
      const deployment = lab.apps("deployments", "plain");
      const { uid } = (await lab.get(deployment))?.metadata ?? {};
      await lab.delete(deployment);
      await lab.awaits("a new Deployment", deployment, ({ metadata }) => metadata.uid !== uid);
      await until("a new Deployment's pod to be ready", 20_000, async () => {
        await lab.readyPods("plain");
        return (await lab.status("plain")).conditions?.some(
          ({ type, status }) => type === "Ready" && status === "True",
        );
      });
    } finally {
      assert.equal(await operator.end("SIGTERM"), 0, operator.output);
    }
    const refused = readFileSync(lab.server.auditLog ?? "", "utf8")
      .split("\n")
      .filter((line) => line.includes("memcached-operator-controller-manager") && line.includes('"code":403'))
      .filter((line) => !line.includes("cannot find RESTMapping"));
    assert.deepEqual(refused, []);
  });
});
