import assert from "node:assert/strict";
import type { Memcached, MemcachedSpec } from "../../../api";
import { deployment } from "../../../operator/memcached/children/deployment";
import { withHash } from "../../../operator/memcached/sync/desired";
import { immutableProblem } from "../../../operator/memcached/sync/refusals";
import { childEvent } from "../../../operator/memcached/events";
import { workloads } from "../../../operator/memcached/children/workloads";
import type { KubeObject } from "../../../operator/runtime";
import { environment, memcached } from "./fixtures";

/* eslint-disable @typescript-eslint/no-explicit-any -- live objects are taken apart and put together freely here */

describe("what an Event tells of a write", () => {
  const made = (spec: MemcachedSpec = {}, changes: object = {}, of: Memcached = memcached(spec)): any =>
    withHash(deployment.body(of, { ...environment, ...changes }));
  const event = (before: KubeObject, after: KubeObject, spec: MemcachedSpec = {}, observedGeneration = 1) =>
    childEvent("Deployment", "apply", before, after, memcached(spec, { status: { observedGeneration } }));

  it("humio/humio-operator#246: that the operator's own image is another, so that pods are replaced", () => {
    const result = event(made(), made({}, { image: "example.com/memcached:2" }));
    assert.deepEqual(result, {
      reason: "Updated",
      note: "Updated Deployment cache, which replaces its pods: the operator's default image changed from example.com/memcached:1 to example.com/memcached:2",
      isOperatorsOwn: true,
    });
  });

  it("humio/humio-operator#246: that the operator makes other pods, with or without an image of one's own", () => {
    const spec = { image: "example.com/mine:1" };
    const proxied = made(spec, { proxy: [{ name: "NO_PROXY", value: "a" }], fixedUser: false });
    const result = event(made(spec), proxied, spec);
    assert.equal(
      result?.note,
      "Updated Deployment cache, which replaces its pods: this version of the operator creates different pods (securityContext, env)",
    );
    const both = event(made(), made({}, { image: "example.com/memcached:2", fixedUser: false }));
    assert.match(
      both?.note ?? "",
      / to example\.com\/memcached:2; this version of the operator creates .* \(securityContext\)$/,
    );
  });

  it("no such thing of a change of the spec, nor of one that replaces no pod", () => {
    const plain = { reason: "Updated", note: "Updated Deployment cache" };
    assert.deepEqual(event(made(), made({ threads: 8 }), {}, 0), plain);
    const later = made();
    later.spec.revisionHistoryLimit = 9;
    assert.deepEqual(event(made(), withHash(later)), plain);
  });

  it("eclipse-che/che#22414: nothing of one that a policy made equal to what was there", () => {
    const rewritten = made();
    rewritten.spec.template.spec.containers[0].image = "mirror.local/memcached";
    assert.equal(event(rewritten, structuredClone(rewritten)), undefined);
    const healed = structuredClone(rewritten);
    healed.metadata.labels = {};
    assert.equal(event(healed, rewritten)?.reason, "Restored");
  });

  it("that a child was adopted", () => {
    const orphan = made({}, {}, memcached({}, { metadata: { ...memcached().metadata, uid: "uid-0" } }));
    orphan.metadata.ownerReferences = [];
    assert.equal(event(orphan, made())?.reason, "Adopted");
  });
});

describe("a workload whose immutable fields differ", () => {
  const problem = (kind: "Deployment" | "StatefulSet", change: (live: any) => void) => {
    const body = workloads[kind].body(memcached(), environment);
    const live = structuredClone(body) as any;
    live.spec.selector.matchExpressions = undefined;
    change(live);
    return immutableProblem(live, body);
  };

  it("is told with the fields and a command that keeps its pods", () => {
    const result = problem("StatefulSet", ({ spec }) =>
      Object.assign(spec, { serviceName: "old", podManagementPolicy: "OrderedReady" }),
    );
    assert.deepEqual(result, {
      reason: "ImmutableField",
      message:
        'StatefulSet shop/cache: spec.serviceName is "old" and should be "cache", and spec.podManagementPolicy is "OrderedReady" and should be "Parallel", but Kubernetes does not allow this change: delete the StatefulSet but keep its pods, and the operator creates a new one that adopts them: kubectl delete statefulset cache -n shop --cascade=orphan --wait=false; then give its servers their names with kubectl rollout restart statefulset/cache -n shop',
    });
    const wider = problem("Deployment", ({ spec }) => (spec.selector.matchLabels.tier = "cache"));
    assert.match(wider?.message ?? "", /spec\.selector is .*"tier":"cache".* --cascade=orphan/);
  });

  it("is told to be deleted with its pods where they would be left to no one", () => {
    const foreign = problem("Deployment", ({ spec }) => {
      spec.selector.matchLabels = { app: "old" };
      spec.template.metadata.labels = { app: "old" };
    });
    assert.match(foreign?.message ?? "", /with its pods.*kubectl delete deployment cache -n shop$/);
  });

  it("is none where others differ", () => {
    assert.equal(
      problem("Deployment", ({ spec }) => (spec.replicas = 9)),
      undefined,
    );
    assert.equal(
      problem("StatefulSet", ({ spec }) => (spec.volumeClaimTemplates = [])),
      undefined,
    );
  });
});
