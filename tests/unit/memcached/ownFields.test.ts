import assert from "node:assert/strict";
import { refusalOf } from "../../../operator/memcached/sync/refusals";
import { ApiError } from "../../../operator/runtime";

const invalid = (...causes: [field: string, message: string][]) => {
  const told = causes.map(([field, message]) => ({ reason: "FieldValueInvalid", field, message }));
  const error = new ApiError(422, "Invalid", 'Deployment.apps "cache" is invalid: …', { causes: told });
  return refusalOf(error)?.problem?.message;
};

describe("what the API server says of an invalid child", () => {
  const fields: [inChild: string, own: string][] = [
    ["spec.template.spec.tolerations[0].operator", "spec.tolerations[0].operator"],
    ["spec.strategy.rollingUpdate.maxSurge", "spec.rollout.maxSurge"],
    ["spec.template.spec.affinity.nodeAffinity.x[0].values", "spec.affinity.nodeAffinity.x[0].values"],
    ["spec.template.spec.nodeSelector", "spec.nodeSelector"],
    ["spec.template.spec.topologySpreadConstraints[1].maxSkew", "spec.topologySpreadConstraints[1].maxSkew"],
    ["spec.template.spec.imagePullSecrets[0].name", "spec.imagePullSecrets[0].name"],
    ["spec.template.spec.containers[0].resources.requests[cpu]", "spec.resources.requests[cpu]"],
    ["spec.template.spec.containers[0].image", "spec.image"],
    ["spec.template.spec.containers[0].imagePullPolicy", "spec.imagePullPolicy"],
    ["spec.template.spec.containers[0].args[7]", "spec.extraArgs"],
    ["spec.template.labels", "spec.podLabels"],
    ["spec.template.metadata.annotations", "spec.podAnnotations"],
    ["metadata.annotations", "spec.service.annotations"],
    ["metadata.labels", "spec.childLabels"],
  ];
  for (const [inChild, own] of fields)
    it(`is told of ${own}`, () => assert.equal(invalid([inChild, "Invalid value"]), `${own}: Invalid value`));

  it("names each field once, and stays as it is where a field has no counterpart", () => {
    const tolerations = ["spec.template.spec.tolerations[0]", "no"] as [string, string];
    const both = invalid(tolerations, tolerations, ["spec.template.spec.nodeSelector", "nor this"]);
    assert.equal(both, "spec.tolerations[0]: no; spec.nodeSelector: nor this");
    assert.match(invalid(tolerations, ["spec.strategy", "no"]) ?? "", /^Deployment\.apps "cache" is invalid/);
    assert.match(invalid() ?? "", /^Deployment\.apps/);
  });
});
