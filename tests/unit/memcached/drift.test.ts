import assert from "node:assert/strict";
import fc from "fast-check";
import { deployment } from "../../../operator/memcached/children/deployment";
import { service } from "../../../operator/memcached/children/service";
import { fieldsMatch } from "../../../operator/memcached/sync/drift";
import { withHash } from "../../../operator/memcached/sync/desired";
import { detectDrift, noteApplied } from "../../../operator/memcached/sync/drift";
import { backOff, backingOff, isNamespaceTerminating, refusalOf } from "../../../operator/memcached/sync/refusals";
import type { ChildState } from "../../../operator/memcached/state";
import { ApiError, type KubeObject, TransportError } from "../../../operator/runtime";
import { environment, memcached } from "./fixtures";

const clone = <T>(value: T): T => structuredClone(value);
/* eslint-disable @typescript-eslint/no-explicit-any -- live objects are taken apart and put together freely here */

describe("live fieldsMatch desired", () => {
  const body = deployment.body(
    memcached({ resources: { limits: { cpu: "1000m", memory: "2048Mi" }, requests: { cpu: 0.5 } } }),
    { ...environment, proxy: [{ name: "NO_PROXY", value: "a" }] },
  ) as any;
  const changed = (change: (live: any) => void) => {
    const live = clone(body);
    change(live);
    return fieldsMatch(live, body);
  };
  const pod = (live: any) => live.spec.template.spec;

  it("whatever was defaulted or added by others, in any order", () => {
    const added = (live: any) => {
      delete live.kind;
      delete live.apiVersion;
      live.status = { replicas: 1 };
      live.metadata.annotations = { theirs: "x" };
      live.metadata.labels.theirs = "x";
      live.spec.progressDeadlineSeconds = 600;
      pod(live).containers[0].terminationMessagePath = "/dev/termination-log";
      pod(live).containers[0].env.unshift({ name: "INJECTED", value: "x" });
      pod(live).containers.unshift({ name: "sidecar", image: "x" });
      pod(live).topologySpreadConstraints.push({ topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" });
      live.metadata.ownerReferences.unshift({ uid: "theirs" });
    };
    assert.equal(changed(added), true);
  });

  it("when the API server has rewritten quantities (Altinity/clickhouse-operator#1904)", () => {
    const rewritten = (live: any) => {
      pod(live).containers[0].resources = { limits: { cpu: "1", memory: "2Gi" }, requests: { cpu: "500m" } };
    };
    assert.equal(changed(rewritten), true);
  });

  const drifts: Record<string, (live: any) => void> = {
    replicas: (live) => (live.spec.replicas = 7),
    "a label": (live) => delete live.metadata.labels["app.kubernetes.io/name"],
    "the owner": (live) => (live.metadata.ownerReferences = []),
    image: (live) => (pod(live).containers[0].image = "other"),
    "one more argument": (live) => pod(live).containers[0].args.push("-M"),
    "the order of arguments": (live) => pod(live).containers[0].args.reverse(),
    "a quantity": (live) => (pod(live).containers[0].resources.limits.memory = "2049Mi"),
    "a quantity that is none": (live) => (pod(live).containers[0].resources.limits.memory = "lots"),
    "a limit": (live) => delete pod(live).containers[0].resources.limits,
    "the container": (live) => (pod(live).containers[0].name = "other"),
    "a variable": (live) => (pod(live).containers[0].env = []),
    "the port's number": (live) => (pod(live).containers[0].ports[0].containerPort = 1),
    "a type": (live) => (live.spec.template = "x"),
  };
  for (const [what, drift] of Object.entries(drifts))
    it(`but not when ${what} changed`, () => assert.equal(changed(drift), false));

  it("in a Service by port and protocol", () => {
    const desired = service.body(memcached(), environment) as any;
    const live = clone(desired);
    live.spec.clusterIPs = ["None"];
    live.spec.ports.unshift({ name: "other", port: 1, protocol: "TCP" });
    assert.equal(fieldsMatch(live, desired), true);
    live.spec.ports[1].port = 2;
    assert.equal(fieldsMatch(live, desired), false);
  });

  it("always with itself, and with anything merged into it", () => {
    const tree = fc.dictionary(fc.constantFrom("a", "b", "c"), fc.oneof(fc.integer(), fc.string(), fc.boolean()));
    fc.assert(
      fc.property(tree, tree, (desired, more) => {
        assert.equal(fieldsMatch({ spec: { ...more, ...desired } }, { spec: desired }), true);
      }),
    );
  });
});

describe("drift", () => {
  const body = withHash(deployment.body(memcached(), environment)) as any;
  /** As the body of one generation of a Memcached. */
  const desired = (made: KubeObject = body, revision = "1") => ({ revision, body: () => made });
  const response = (changes: (live: any) => void = () => undefined): KubeObject => {
    const live = clone(body);
    Object.assign(live.metadata, { uid: "d-1", generation: 1, resourceVersion: "5" });
    changes(live);
    return live;
  };
  /** Remembers what was applied. */
  class Drift {
    private readonly state: ChildState = {};
    of = (observed: KubeObject | undefined, of: ReturnType<typeof desired>) => detectDrift(observed, of, this.state);
    applied(of: ReturnType<typeof desired>, observed: KubeObject): this {
      noteApplied(of, observed, this.state);
      return this;
    }
  }
  const applied = () => new Drift().applied(desired(), response());
  const sized = (size: number) => withHash(deployment.body(memcached({ size }), environment));

  it("is there when a child is missing, and not once it is as it was applied", () => {
    assert.equal(new Drift().of(undefined, desired()), "apply");
    assert.equal(applied().of(response(), desired()), "none");
    assert.equal(applied().of(response(), desired(body, "2")), "none");
  });

  it("makes no body for what is as it was left, of the same generation", () => {
    const unmade = () => assert.fail("a body was made");
    assert.equal(applied().of(response(), { revision: "1", body: unmade }), "none");
  });

  it("is not seen in status updates, nor by annotations that controllers set", () => {
    const later = response((live) => {
      live.metadata.resourceVersion = "99";
      live.status = { readyReplicas: 1 };
      live.metadata.annotations["deployment.kubernetes.io/revision"] = "2";
    });
    assert.equal(applied().of(later, desired()), "none");
  });

  it("is seen in a field changed by hand, in another body, and in a deleted child", () => {
    const drifted = response((live) => {
      live.metadata.generation = 2;
      live.spec.template.spec.containers[0].image = "theirs";
    });
    assert.equal(applied().of(drifted, desired()), "apply");
    const other = withHash(deployment.body(memcached({ threads: 2 }), environment));
    assert.equal(applied().of(response(), desired(other, "2")), "apply");
    assert.equal(applied().of(undefined, desired()), "apply");
  });

  it("is healed by the number of replicas alone where nothing else differs", () => {
    assert.equal(applied().of(response(), desired(sized(4), "2")), "scale");
    const scaled = response((live) => Object.assign(live, { metadata: { ...live.metadata, generation: 2 } }));
    (scaled as any).spec.replicas = 9;
    assert.equal(applied().of(scaled, desired()), "scale");
    (scaled as any).spec.template.spec.containers[0].image = "theirs";
    assert.equal(applied().of(scaled, desired()), "apply");
  });

  it("is never seen where a policy rewrites one of our fields at every apply", () => {
    const rewritten = response((live) => (live.spec.template.spec.containers[0].image = "mirror/memcached"));
    const drift = new Drift();
    assert.equal(drift.of(rewritten, desired()), "apply");
    drift.applied(desired(), rewritten);
    assert.equal(drift.of(rewritten, desired()), "none");
  });

  it("nor once the Deployment's controller, or a person, has changed something else", () => {
    const rewritten = (changes: (live: any) => void = () => undefined) =>
      response((live) => {
        const [container] = live.spec.template.spec.containers;
        Object.assign(container, { image: "mirror/memcached", imagePullPolicy: "Always", args: ["--lower"] });
        delete container.lifecycle;
        changes(live);
      });
    const drift = new Drift();
    drift.applied(desired(), rewritten());
    const counted = rewritten((live) => (live.metadata.annotations["deployment.kubernetes.io/revision"] = "1"));
    assert.equal(drift.of(counted, desired()), "none");
    const scaled = rewritten((live) => Object.assign(live.spec, { replicas: 9 }));
    scaled.metadata.generation = 2;
    assert.equal(drift.of(scaled, desired()), "scale");
    const drifts: ((container: any) => void)[] = [
      (container) => (container.image = "other"),
      (container) => container.args.push("-M"),
      (container) => (container.lifecycle = { preStop: { sleep: { seconds: 99 } } }),
      (container) => delete container.readinessProbe,
    ];
    for (const change of drifts) {
      const drifted = rewritten((live) => change(live.spec.template.spec.containers[0]));
      drifted.metadata.generation = 2;
      assert.equal(drift.of(drifted, desired()), "apply", String(change));
    }
    const other = rewritten((live) => Object.assign(live.metadata, { uid: "d-2" }));
    assert.equal(drift.of(other, desired()), "apply", "another object of that name");
  });

  it("is found after a restart by the fields of the observed object", () => {
    assert.equal(new Drift().of(response(), desired()), "none");
    const other = response((live) => (live.spec.template.spec.containers[0].image = "theirs"));
    assert.equal(new Drift().of(other, desired()), "apply");
  });

  it("is seen after a restart when the body has fewer fields than the one applied last", () => {
    const before = withHash(deployment.body(memcached({ imagePullSecrets: [{ name: "x" }] }), environment)) as any;
    const live = clone(before);
    assert.equal(fieldsMatch(live, deployment.body(memcached(), environment)), true);
    assert.equal(new Drift().of(live, desired()), "apply");
  });

  it("is seen in the spec of what has no generation, such as a Service", () => {
    const made = withHash(service.body(memcached(), environment)) as any;
    const drift = new Drift();
    drift.applied(desired(made), clone(made));
    assert.equal(drift.of(clone(made), desired(made)), "none");
    const drifted = clone(made);
    drifted.spec.selector = {};
    assert.equal(drift.of(drifted, desired(made)), "apply");
  });
});

describe("the backoff of a refused request", () => {
  it("waits a second, then twice as long each time up to a minute, unless something changed", () => {
    let now = 0;
    const state: ChildState = {};
    const why = { waitingFor: "quota" };
    const refused = () => backOff(state, "body", why, now, () => 0).retryAfterMs;
    const waits: number[] = [];
    for (let i = 0; i < 9; i++) {
      waits.push(refused());
      assert.equal(backingOff(state, "body", now)?.waitingFor, "quota");
      assert.equal(backingOff(state, "another body", now), undefined);
      now += waits.at(-1) ?? 0;
      assert.equal(backingOff(state, "body", now), undefined);
    }
    assert.deepEqual(waits, [1e3, 2e3, 4e3, 8e3, 16e3, 32e3, 6e4, 6e4, 6e4]);
    state.refused = undefined;
    assert.equal(refused(), 1e3);
  });

  it("is up to a quarter shorter, so that many do not come back together", () => {
    const { retryAfterMs } = backOff({}, "body", { waitingFor: "quota" }, 0, () => 1);
    assert.equal(retryAfterMs, 750);
  });
});

describe("refusals", () => {
  const refusal = (code: number, message: string) => refusalOf(new ApiError(code, "", message))?.problem?.reason;

  it("are told apart by what the API server says", () => {
    assert.equal(refusal(403, 'deployments.apps "a" is forbidden: exceeded quota: q, requested: 1'), "QuotaExceeded");
    assert.equal(refusal(422, "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no"), "AdmissionDenied");
    assert.equal(refusal(403, 'admission webhook "w" denied the request: no'), "AdmissionDenied");
    assert.equal(
      refusal(500, 'Internal error occurred: failed calling webhook "w": deadline exceeded'),
      "AdmissionDenied",
    );
    assert.equal(refusal(403, 'User "x" cannot patch resource "deployments"'), "Forbidden");
    assert.equal(refusal(422, "Deployment.apps is invalid: spec.x"), "Invalid");
    assert.equal(refusal(500, "etcd is on fire"), "ServerError");
  });

  it("are not what passes by itself", () => {
    for (const code of [401, 409, 429, 503, 504]) assert.equal(refusal(code, "x"), undefined);
    assert.equal(refusalOf(new TransportError("TIMEOUT", "no answer")), undefined);
  });

  it("tell a namespace that goes, or is gone, from others", () => {
    const causes = [{ reason: "NamespaceTerminating" }];
    assert.ok(isNamespaceTerminating(new ApiError(403, "Forbidden", "x", { causes })));
    assert.ok(isNamespaceTerminating(new ApiError(404, "NotFound", "x", { kind: "namespaces" })));
    assert.ok(!isNamespaceTerminating(new ApiError(403, "Forbidden", "x")));
  });

  it("tell a kind that the API server is still to learn of", () => {
    const words = "cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion x";
    assert.deepEqual(refusalOf(new ApiError(403, "Forbidden", words)), {
      waitingFor: "the API server does not know the kind Memcached yet",
    });
  });
});
