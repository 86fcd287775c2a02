import assert from "node:assert/strict";
import { plainProgram } from "../../../bench/pulumi/plainProgram";

const urn = (type: string, name: string) => `urn:pulumi:s::p::${type}::${name}`;
const resource = (type: string, name: string, inputs: object, rest: object = {}) => ({
  urn: urn(type, name),
  type,
  custom: true,
  inputs,
  ...rest,
});

describe("bench: a stack as plain classes", () => {
  const namespace = resource("kubernetes:core/v1:Namespace", "ns", { metadata: { name: "n" }, __defaults: [] });
  const deployment = resource(
    "kubernetes:apps/v1:Deployment",
    "op",
    {},
    { dependencies: [namespace.urn, urn("memcached:index:MemcachedOperator", "op")], retainOnDelete: true },
  );
  const role = resource("kubernetes:rbac.authorization.k8s.io/v1:ClusterRole", "role", {});
  const cache = resource("kubernetes:cache.example.com/v1:Memcached", "cache", { spec: { size: 3 } });
  const component = { ...resource("memcached:index:Memcached", "cache", {}), custom: false };

  it("has each resource of Kubernetes once, with its inputs, options and order, and no component", () => {
    assert.deepEqual(plainProgram([namespace, role, deployment, component, cache]).trimEnd().split("\n"), [
      `const k8s = require("@pulumi/kubernetes");`,
      `const r0 = new k8s.core.v1.Namespace("ns", {"metadata":{"name":"n"}}, { dependsOn: [], retainOnDelete: false });`,
      `const r1 = new k8s.rbac.v1.ClusterRole("role", {}, { dependsOn: [], retainOnDelete: false });`,
      `const r2 = new k8s.apps.v1.Deployment("op", {}, { dependsOn: [r0], retainOnDelete: true });`,
      `const r3 = new k8s.apiextensions.CustomResource("cache", {"spec":{"size":3}}, { dependsOn: [r2], retainOnDelete: false });`,
    ]);
  });
});
