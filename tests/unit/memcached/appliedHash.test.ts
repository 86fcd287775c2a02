import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import type { Memcached, MemcachedSpec } from "../../../api";
import type { Environment } from "../../../operator/memcached/children/child";
import { deployment } from "../../../operator/memcached/children/deployment";
import { service } from "../../../operator/memcached/children/service";
import { statefulSet } from "../../../operator/memcached/children/statefulSet";
import { hashOf, withHash } from "../../../operator/memcached/sync/desired";
import type { KubeObject } from "../../../operator/runtime";
import { environment, memcached } from "./fixtures";
import appliedHashes from "./appliedHashes.json";

const samples = resolve(__dirname, "../../../deploy/samples");

const everyField: MemcachedSpec = {
  ...{ size: 3, image: "registry.example.com/memcached:1", imagePullPolicy: "Always", port: 11311, memory: "1Gi" },
  ...{ imagePullSecrets: [{ name: "registry" }], connections: 2048, threads: 8, maxItemSize: "1536Ki", verbosity: 2 },
  extraArgs: ["-o", "idle_timeout=300"],
  resources: { requests: { cpu: 1 }, limits: { memory: "2Gi" } },
  rollout: { maxSurge: 0, maxUnavailable: "25%" },
  nodeSelector: { pool: "cache" },
  tolerations: [{ key: "dedicated", operator: "Exists" }],
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "zone" }] } },
  topologySpreadConstraints: [{ maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule" }],
  priorityClassName: "high",
  podLabels: { team: "checkout" },
  podAnnotations: { "example.com/backup": "never" },
  service: { annotations: { "example.com/a": "b" } },
};

const specs: Record<string, MemcachedSpec> = {
  ...Object.fromEntries(
    readdirSync(samples).map((file) => [
      file,
      (parse(readFileSync(join(samples, file), "utf8")) as Memcached & { spec: MemcachedSpec }).spec,
    ]),
  ),
  "every field": everyField,
  "behind an address": { service: { type: "NodePort", annotations: { "example.com/a": "b" } } },
  "requests alone": { resources: { requests: { cpu: "500m", memory: "1Gi" } } },
  "empty lists": { extraArgs: [], tolerations: [], topologySpreadConstraints: [], podLabels: {} },
};

const environments: Record<string, Environment> = {
  plain: environment,
  "OpenShift behind a proxy": {
    ...environment,
    fixedUser: false,
    proxy: [{ name: "NO_PROXY", value: ".svc" }],
  },
};

/** The bodies of all children, by what they are called in appliedHashes.json. */
const bodies = (): Record<string, KubeObject> =>
  Object.fromEntries(
    Object.entries(specs).flatMap(([title, spec]) => {
      const one = memcached(spec);
      const deployed = memcached({ ...spec, workload: "Deployment" });
      const stateful = memcached({ ...spec, workload: "StatefulSet" });
      return [
        ...Object.entries(environments).flatMap(([where, surroundings]): [string, KubeObject][] => [
          [`${title}: Deployment, ${where}`, deployment.body(deployed, surroundings)],
          [`${title}: StatefulSet, ${where}`, statefulSet.body(stateful, surroundings)],
        ]),
        [`${title}: Service`, service.body(one, environment)],
        [`${title}: Service of a StatefulSet`, service.body(stateful, environment)],
        [`${title}: Service of a StatefulSet that takes over`, service.body(stateful, environment, true)],
      ];
    }),
  );

describe("an upgrade of the operator", () => {
  it("applies nothing anew: the bodies of the children, to the byte, are those of the release before", () => {
    const made = bodies();
    const hashes = Object.keys(appliedHashes).map((title) => [title, made[title] && hashOf(withHash(made[title]))]);
    assert.deepEqual(Object.fromEntries(hashes), appliedHashes);
  });
});
