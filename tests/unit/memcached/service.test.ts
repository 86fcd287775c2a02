import assert from "node:assert/strict";
import type { V1ServiceSpec } from "@kubernetes/client-node";
import type { Memcached } from "../../../api";
import { service } from "../../../operator/memcached/children/service";
import { environment, memcached } from "./fixtures";

const selector = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": "cache" };

describe("the Service of a Memcached", () => {
  const body = (resource: Memcached) => service.body(resource, environment) as unknown as { spec: V1ServiceSpec };

  it("is headless, leads to servers that are ready, and names its port `memcached`", () => {
    assert.deepEqual(body(memcached({ port: 11311 })).spec, {
      clusterIP: "None",
      type: "ClusterIP",
      publishNotReadyAddresses: false,
      selector,
      ports: [{ name: "memcached", port: 11311, targetPort: "memcached", protocol: "TCP", appProtocol: "tcp" }],
    });
  });

  it("publishes the names of a StatefulSet's servers ready or not, once no Deployment's are left", () => {
    const published = (takesOver: boolean, type?: "NodePort") => {
      const resource = memcached({ workload: type ? "Deployment" : "StatefulSet", service: { type } });
      const made = service.body(resource, environment, takesOver);
      return (made as unknown as { spec: V1ServiceSpec }).spec.publishNotReadyAddresses;
    };
    assert.deepEqual([published(false), published(true), published(false, "NodePort")], [true, false, undefined]);
  });

  it("has the type and the annotations asked for, and behind an address only servers that are ready", () => {
    const annotations = { "example.com/lb": "internal" };
    const made = service.body(memcached({ service: { type: "LoadBalancer", annotations } }), environment);
    const { type, clusterIP, publishNotReadyAddresses } = (made as unknown as { spec: V1ServiceSpec }).spec;
    assert.deepEqual([type, clusterIP, publishNotReadyAddresses], ["LoadBalancer", undefined, undefined]);
    assert.deepEqual(made.metadata.annotations, annotations);
    assert.equal(body(memcached({ service: { annotations } })).spec.clusterIP, "None");
  });

  it("has an address inside the cluster where that is asked for", () => {
    const { spec } = body(memcached({ service: { headless: false } }));
    assert.deepEqual([spec.type, spec.clusterIP], ["ClusterIP", undefined]);
    assert.ok(service.isReplaced?.(body(memcached()) as never, { spec } as never));
  });
});
