import assert from "node:assert/strict";
import type { V1DeploymentSpec, V1StatefulSetSpec } from "@kubernetes/client-node";
import fc from "fast-check";
import type { Memcached, MemcachedSpec } from "../../../api";
import { deployment } from "../../../operator/memcached/children/deployment";
import { statefulSet } from "../../../operator/memcached/children/statefulSet";
import { service } from "../../../operator/memcached/children/service";
import { proxyVariables } from "../../../operator/memcached/proxy";
import { environment, memcached } from "./fixtures";

const spec = (resource: Memcached, env = environment) =>
  (deployment.body(resource, env) as unknown as { spec: V1DeploymentSpec }).spec;
const pod = (resource: Memcached, env = environment) => spec(resource, env).template.spec;
const container = (resource: Memcached, env = environment) => pod(resource, env)?.containers[0];

const labels = {
  "app.kubernetes.io/name": "memcached",
  "app.kubernetes.io/instance": "cache",
  "app.kubernetes.io/component": "cache",
  "app.kubernetes.io/managed-by": "memcached-operator",
};
const selector = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": "cache" };
const owner = {
  apiVersion: "cache.example.com/v1",
  kind: "Memcached",
  name: "cache",
  uid: "uid-1",
  controller: true,
  blockOwnerDeletion: true,
};

describe("the Deployment of a Memcached", () => {
  it("is owned, labelled and selected by what never changes", () => {
    const { metadata } = deployment.body(memcached(), environment);
    assert.deepEqual(metadata, { name: "cache", namespace: "shop", labels, ownerReferences: [owner] });
    assert.deepEqual(spec(memcached()).selector, { matchLabels: selector });
    assert.deepEqual(spec(memcached()).template.metadata?.labels, labels);
  });

  it("has the defaults' command line", () => {
    const { name, command, args, ports, image } = container(memcached()) ?? {};
    assert.equal(name, "memcached");
    assert.equal(image, "example.com/memcached:1");
    assert.deepEqual(command, ["memcached"]);
    assert.deepEqual(args, [
      "--port=11211",
      "--memory-limit=64",
      "--conn-limit=1024",
      "--threads=4",
      "--max-item-size=1m",
      "-v",
    ]);
    assert.deepEqual(ports, [{ name: "memcached", containerPort: 11211, protocol: "TCP" }]);
  });

  it("follows every field of the spec", () => {
    const resource = memcached({
      size: 5,
      image: "example.com/other@sha256:1",
      imagePullPolicy: "Always",
      imagePullSecrets: [{ name: "registry" }],
      port: 11311,
      memory: "1Gi",
      connections: 2048,
      threads: 8,
      maxItemSize: "1536Ki",
      verbosity: 2,
      extraArgs: ["-o", "idle_timeout=300"],
      resources: { requests: { cpu: 1 }, limits: { memory: "2Gi" } },
    });
    const { image, imagePullPolicy, args, ports, resources } = container(resource) ?? {};
    assert.equal(spec(resource).replicas, 5);
    assert.deepEqual([image, imagePullPolicy], ["example.com/other@sha256:1", "Always"]);
    assert.deepEqual(pod(resource)?.imagePullSecrets, [{ name: "registry" }]);
    assert.deepEqual(args, [
      "--port=11311",
      "--memory-limit=1024",
      "--conn-limit=2048",
      "--threads=8",
      "--max-item-size=1536k",
      "-vv",
      "-o",
      "idle_timeout=300",
    ]);
    assert.equal(ports?.[0]?.containerPort, 11311);
    assert.deepEqual(resources, { requests: { cpu: 1 }, limits: { memory: "2Gi" } });
  });

  it("says nothing of verbosity 0, and keeps a size of 0", () => {
    assert.ok(!container(memcached({ verbosity: 0 }))?.args?.some((arg) => arg.startsWith("-v")));
    assert.equal(spec(memcached({ size: 0 })).replicas, 0);
  });

  it("stays within the restricted Pod Security Standard, under the image's own numeric user", () => {
    assert.deepEqual(pod(memcached())?.securityContext, {
      runAsNonRoot: true,
      runAsUser: 11211,
      runAsGroup: 11211,
      seccompProfile: { type: "RuntimeDefault" },
    });
    assert.deepEqual(container(memcached())?.securityContext, {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    });
    assert.equal(pod(memcached())?.automountServiceAccountToken, false);
  });

  it("leaves the user to OpenShift where that gives one", () => {
    const context = pod(memcached(), { ...environment, fixedUser: false })?.securityContext;
    assert.deepEqual(context, { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
  });

  it("replaces one server at a time, the new one first, and drains before it stops one", () => {
    assert.deepEqual(spec(memcached()).strategy, {
      type: "RollingUpdate",
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    assert.deepEqual(container(memcached())?.lifecycle, { preStop: { sleep: { seconds: 5 } } });
  });

  it("spreads over nodes, softly", () => {
    const [constraint] = pod(memcached())?.topologySpreadConstraints ?? [];
    assert.equal(constraint?.whenUnsatisfiable, "ScheduleAnyway");
    assert.equal(constraint?.topologyKey, "kubernetes.io/hostname");
    assert.deepEqual(constraint?.labelSelector, { matchLabels: selector });
  });

  it("probes by TCP on the named port", () => {
    const { livenessProbe, readinessProbe, startupProbe } = container(memcached()) ?? {};
    for (const probe of [livenessProbe, readinessProbe, startupProbe])
      assert.deepEqual(probe?.tcpSocket, { port: "memcached" });
  });

  it("holds no empty value, whatever the spec", () => {
    const some: fc.Arbitrary<MemcachedSpec> = fc.record(
      {
        size: fc.nat(100),
        imagePullSecrets: fc.constant<{ name: string }[]>([]),
        extraArgs: fc.constantFrom<string[]>([], ["-F"]),
        resources: fc.constantFrom<MemcachedSpec["resources"][]>({}, { limits: {} }, { requests: { cpu: "1" } }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(some, (given) => {
        const bodies = [deployment.body(memcached(given), environment), service.body(memcached(given), environment)];
        assert.doesNotMatch(JSON.stringify(bodies), /null|\{\}|\[\]|""/);
      }),
    );
  });

  it("takes a spec that is null as one of defaults (kubernetes-client/javascript#856)", () => {
    const resource = { ...memcached(), spec: null } as unknown as Memcached;
    assert.equal(spec(resource).replicas, 1);
  });
});

describe("the StatefulSet of a Memcached", () => {
  const resource = memcached({ workload: "StatefulSet", size: 4, port: 11311 });
  const { metadata, spec: made } = statefulSet.body(resource, environment) as unknown as {
    metadata: Memcached["metadata"];
    spec: V1StatefulSetSpec;
  };

  it("is owned, labelled and selected as a Deployment, and gives names under the Service", () => {
    assert.deepEqual(metadata, { name: "cache", namespace: "shop", labels, ownerReferences: [owner] });
    assert.deepEqual(made.selector, { matchLabels: selector });
    assert.deepEqual([made.replicas, made.serviceName, made.podManagementPolicy], [4, "cache", "Parallel"]);
    assert.equal(made.volumeClaimTemplates, undefined);
  });

  it("runs the same pods, and tells its revisions apart by its own label", () => {
    const [constraint] = made.template.spec?.topologySpreadConstraints ?? [];
    assert.deepEqual(constraint?.matchLabelKeys, ["controller-revision-hash"]);
    assert.deepEqual(made.template.spec?.containers, pod(resource)?.containers);
  });
});

describe("what is put on the pods", () => {
  it("is passed on as it was given", () => {
    const terms = [{ topologyKey: "zone", labelSelector: {}, namespaceSelector: {} }];
    const given: MemcachedSpec = {
      nodeSelector: { pool: "cache" },
      tolerations: [{ key: "dedicated", operator: "Exists" }],
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } },
      priorityClassName: "high",
    };
    const { nodeSelector, tolerations, affinity, priorityClassName } = pod(memcached(given)) ?? {};
    assert.deepEqual({ nodeSelector, tolerations, affinity, priorityClassName }, given);
  });

  it("counts this resource's servers in constraints that do not say whose, and takes the place of the default", () => {
    const zone = { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" };
    const theirs = { ...zone, topologyKey: "rack", labelSelector: { matchLabels: { team: "a" } } };
    const found = pod(memcached({ topologySpreadConstraints: [zone, theirs] }))?.topologySpreadConstraints;
    assert.deepEqual(found, [{ ...zone, labelSelector: { matchLabels: selector } }, theirs]);
    assert.equal(pod(memcached({ topologySpreadConstraints: [] }))?.topologySpreadConstraints, undefined);
  });

  it("are labels beside our own, which win, and annotations", () => {
    const podLabels = { team: "checkout", "app.kubernetes.io/name": "forged" };
    const { metadata } = spec(memcached({ podLabels, podAnnotations: { "example.com/a": "" } })).template;
    assert.deepEqual(metadata?.labels, { team: "checkout", ...labels });
    assert.deepEqual(metadata?.annotations, { "example.com/a": "" });
    assert.deepEqual(spec(memcached({ podLabels })).selector, { matchLabels: selector });
  });

  it("has a server's last words kept, for the status", () => {
    assert.equal(container(memcached())?.terminationMessagePolicy, "FallbackToLogsOnError");
  });
});

describe("labels of all children", () => {
  it("stand beside our own, which win, and are neither in the selector nor on the pods", () => {
    const resource = memcached({ childLabels: { team: "a", "app.kubernetes.io/name": "forged" } });
    for (const { body } of [deployment, statefulSet, service])
      assert.deepEqual(body(resource, environment).metadata.labels, { team: "a", ...labels });
    assert.deepEqual(spec(resource).selector, { matchLabels: selector });
    assert.deepEqual(spec(resource).template, spec(memcached()).template);
  });
});

describe("memory of a server's container", () => {
  const mebibytes = (resource: Memcached) => {
    const { requests, limits } = container(resource)?.resources ?? {};
    assert.equal(requests?.memory, limits?.memory, "a cache fills up: the node must reserve it all");
    assert.match(String(limits?.memory), /^\d+Mi$/);
    return parseInt(String(limits?.memory), 10);
  };

  it("leaves room for more than was measured with the cache full and every connection in use", () => {
    // Resident MiB of memcached 1.6.18 filled with items of 2 bytes, then given some of every size, with 1000 connections in the
    // midst of commands; of 1Gi, the peak of a pod (docs/memory.md).
    const measured = { "8Mi": 69, "64Mi": 128, "256Mi": 340, "1Gi": 1149 };
    for (const [memory, resident] of Object.entries(measured))
      assert.ok(mebibytes(memcached({ memory })) >= resident + 16, memory);
  });

  it("grows with memory, connections and threads", () => {
    const least = mebibytes(memcached());
    for (const more of [{ memory: "65Mi" }, { connections: 2048 }, { threads: 8 }])
      assert.ok(mebibytes(memcached(more)) > least, JSON.stringify(more));
  });

  it("is derived as well when resources are given without any quantity", () => {
    assert.equal(mebibytes(memcached({ resources: { limits: {} } })), mebibytes(memcached()));
  });

  it("sets no CPU limit of its own", () => {
    assert.equal(container(memcached())?.resources?.limits?.cpu, undefined);
    assert.ok(container(memcached())?.resources?.requests?.cpu);
  });
});

describe("proxy variables", () => {
  const text = (env: Record<string, string>) => proxyVariables(env).map(({ name, value }) => `${name}=${value}`);

  it("come in both cases, whichever the operator has", () => {
    assert.deepEqual(text({ https_proxy: "http://p:1", NO_PROXY: "a" }), [
      "HTTPS_PROXY=http://p:1",
      "https_proxy=http://p:1",
      "NO_PROXY=a",
      "no_proxy=a",
    ]);
  });

  it("keep a difference between the cases", () => {
    assert.deepEqual(text({ HTTP_PROXY: "http://up:1", http_proxy: "http://low:1" }), [
      "HTTP_PROXY=http://up:1",
      "http_proxy=http://low:1",
    ]);
  });

  it("are left out when the operator has none, or an empty one", () => {
    assert.deepEqual(text({ HTTP_PROXY: "", PATH: "/bin" }), []);
  });

  it("reach the container", () => {
    const env = proxyVariables({ NO_PROXY: ".svc" });
    assert.deepEqual(container(memcached(), { ...environment, proxy: env })?.env, env);
    assert.equal(container(memcached())?.env, undefined);
  });
});
