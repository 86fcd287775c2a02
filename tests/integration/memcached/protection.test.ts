import assert from "node:assert/strict";
import type { V1NetworkPolicySpec, V1PodDisruptionBudgetSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab } from "./lab";

interface Budget extends KubeObject {
  spec: V1PodDisruptionBudgetSpec;
}

interface Policy extends KubeObject {
  spec: V1NetworkPolicySpec;
}

describe("what protects the servers of a Memcached", function () {
  this.timeout(90_000);
  let lab: Lab;
  before(async () => void (lab = await Lab.open()));
  after(() => lab.stop());

  const budgets = (name = "") =>
    `/apis/policy/v1/namespaces/${lab.namespace}/poddisruptionbudgets${name && `/${name}`}`;
  const policies = (name: string) => `/apis/networking.k8s.io/v1/namespaces/${lab.namespace}/networkpolicies/${name}`;
  const change = (name: string, spec: object) => lab.patch(lab.server.at("v1", name), { spec });
  const gone = (what: string, path: string) => until(`${what} to be gone`, 15_000, async () => !(await lab.get(path)));
  const selector = (name: string) => ({
    matchLabels: { "app.kubernetes.io/instance": name, "app.kubernetes.io/name": "memcached" },
  });

  describe("disruptionBudget", () => {
    it("lets a drain take one server at a time, from two servers on", async () => {
      await lab.create("many", { size: 2 });
      const { spec } = await lab.awaits<Budget>("a budget", budgets("many"), () => true);
      const expected = { maxUnavailable: 1, selector: selector("many"), unhealthyPodEvictionPolicy: "AlwaysAllow" };
      assert.deepEqual(spec, expected);
      await change("many", { size: 1 });
      await gone("the budget of one server", budgets("many"));
    });

    it("is what is asked for, and follows a change", async () => {
      await lab.create("asked", { size: 1, disruptionBudget: { minAvailable: 1 } });
      await lab.awaits<Budget>("minAvailable 1", budgets("asked"), ({ spec }) => spec.minAvailable === 1);
      await change("asked", { disruptionBudget: { minAvailable: null, maxUnavailable: "100%" } });
      const { spec } = await lab.awaits<Budget>(
        "maxUnavailable 100%",
        budgets("asked"),
        ({ spec }) => spec.maxUnavailable === "100%",
      );
      assert.equal(spec.minAvailable, undefined);
    });

    it("gives way to one that somebody has made for the same pods, and comes back when that goes", async () => {
      await lab.server.client.json("POST", budgets(), {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "by-hand" },
        spec: { minAvailable: 1, selector: selector("shared") },
      });
      await lab.create("shared", { size: 3 });
      await lab.awaitCondition("shared", "Degraded", "False");
      await lab.awaits("the Service", lab.core("services", "shared"), () => true);
      assert.equal(await lab.get(budgets("shared")), undefined);
      await lab.delete(budgets("by-hand"));
      await lab.awaits<Budget>("a budget of its own", budgets("shared"), ({ spec }) => spec.maxUnavailable === 1);
      await lab.server.client.json("POST", budgets(), {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "by-hand" },
        spec: { minAvailable: 1, selector: { matchLabels: { "app.kubernetes.io/name": "memcached" } } },
      });
      await gone("the budget that gives way", budgets("shared"));
      await lab.delete(budgets("by-hand"));
    });

    it("heals when it is changed or deleted by hand", async () => {
      await lab.create("healed", { size: 2 });
      await lab.awaits<Budget>("a budget", budgets("healed"), () => true);
      await lab.patch(budgets("healed"), { spec: { maxUnavailable: 2 } });
      await lab.awaits<Budget>("maxUnavailable 1 again", budgets("healed"), ({ spec }) => spec.maxUnavailable === 1);
      await lab.delete(budgets("healed"));
      await lab.awaits<Budget>("another budget", budgets("healed"), ({ spec }) => spec.maxUnavailable === 1);
    });
  });

  describe("networkPolicy", () => {
    it("closes the servers but for who is named, and goes with the field", async () => {
      const from = [{ podSelector: { matchLabels: { app: "shop" } } }, { namespaceSelector: {} }];
      await lab.create("closed", {
        size: 1,
        networkPolicy: { from },
        tls: { secretName: "tls", plaintextPort: 11212 },
      });
      const { spec } = await lab.awaits<Policy>("a policy", policies("closed"), () => true);
      const ports = [11211, 11212].map((port) => ({ protocol: "TCP", port }));
      assert.deepEqual(spec, {
        podSelector: selector("closed"),
        policyTypes: ["Ingress", "Egress"],
        ingress: [{ from, ports }],
      });
      await change("closed", { networkPolicy: { allowDNS: true } });
      const dns = ["UDP", "TCP"].map((protocol) => ({ protocol, port: 53 }));
      const asked = await lab.awaits<Policy>("DNS", policies("closed"), ({ spec }) => spec.egress);
      assert.deepEqual(asked.spec.egress, [{ ports: dns }]);
      await change("closed", { networkPolicy: null });
      await gone("the policy", policies("closed"));
    });

    it("tells what the API server refuses by the Memcached's own field", async () => {
      const from = [{ podSelector: {}, ipBlock: { cidr: "10.0.0.0/8" } }];
      await lab.create("refused", { size: 1, networkPolicy: { from } });
      const { message } = await lab.awaitCondition("refused", "Degraded", "True", "Invalid");
      assert.match(message, /spec\.networkPolicy\.from\[0\]/);
    });
  });
});
