/** Whether a cluster is as its users asked for: judged by what they see, not by the operator's own functions. */
import type { V1DeploymentSpec, V1DeploymentStatus, V1ServiceSpec } from "@kubernetes/client-node";
import { parseQuantity, type MemcachedStatus } from "../../api";
import type { KubeObject } from "./client";
import { MARK } from "./drift";
import type { Cache, Spec } from "./model";

export type Memcached = KubeObject<{ spec: Spec; status?: MemcachedStatus }>;
export type Deployment = KubeObject<{ spec: V1DeploymentSpec; status?: V1DeploymentStatus }>;
export type Service = KubeObject<{ spec: V1ServiceSpec }>;

export interface Seen {
  memcached?: Memcached;
  deployment?: Deployment;
  service?: Service;
}

/** What is wrong with a resource and its children, in words; nothing when all is right. */
export function wrongsOf(cache: Cache, seen: Seen): string[] {
  const { memcached, deployment, service } = seen;
  const { spec } = cache;
  if (!spec)
    return Object.entries(seen).flatMap(([kind, object]) => (object ? [`is deleted, but its ${kind} is there`] : []));
  if (!memcached) return ["is not there"];
  return [
    ...differences("the spec", memcached.spec, spec),
    ...(deployment
      ? [...ownership("Deployment", deployment, memcached), ...ofDeployment(deployment, spec)]
      : ["has no Deployment"]),
    ...(service
      ? [...ownership("Service", service, memcached), ...ofService(service, spec, deployment)]
      : ["has no Service"]),
    ...ofStatus(cache, memcached, spec),
    ...ofMark(cache, deployment),
  ];
}

function ownership(kind: string, child: KubeObject, { metadata }: Memcached): string[] {
  const owners = child.metadata.ownerReferences?.filter(({ controller }) => controller) ?? [];
  const labels = {
    "app.kubernetes.io/name": "memcached",
    "app.kubernetes.io/instance": metadata.name,
    "app.kubernetes.io/component": "cache",
    "app.kubernetes.io/managed-by": "memcached-operator",
  };
  return [
    ...(child.metadata.deletionTimestamp ? [`the ${kind} is being deleted`] : []),
    ...(owners.length === 1 && owners[0]?.uid === metadata.uid && owners[0]?.kind === "Memcached"
      ? []
      : [`the ${kind} is not owned by it, but by ${JSON.stringify(owners)}`]),
    ...differences(`the ${kind}'s labels`, child.metadata.labels, labels),
  ];
}

function ofDeployment({ spec: { replicas, selector, template } }: Deployment, spec: Spec): string[] {
  const container = template.spec?.containers.find(({ name }) => name === "memcached");
  if (!container) return ["the Deployment has no container memcached"];
  const limit = container.resources?.limits?.memory ?? "0";
  return [
    ...differences("the Deployment", { replicas, image: container.image }, { replicas: spec.size, image: spec.image }),
    ...differences("the server's flags", flagsOf(container.args), { port: spec.port, memory: mebibytes(spec.memory) }),
    ...(container.ports?.[0]?.containerPort === spec.port ? [] : ["the container's port is not the spec's"]),
    ...(mebibytes(limit) > mebibytes(spec.memory) ? [] : ["the memory limit does not hold the items"]),
    ...differences("the pods' labels", template.metadata?.labels, selector.matchLabels ?? {}),
  ];
}

/** Port and item memory (MiB) as memcached would understand its command line: the last of a flag counts. */
function flagsOf(args: string[] = []): { port?: number; memory?: number } {
  const last = (names: RegExp) => args.map((arg) => names.exec(arg)?.[1]).findLast((value) => value !== undefined);
  const port = last(/^(?:--port=|-p)(\d+)$/);
  const memory = last(/^(?:--memory-limit=|-m)(\d+)$/);
  return {
    port: port === undefined ? undefined : Number(port),
    memory: memory === undefined ? undefined : Number(memory),
  };
}

function ofService(
  { spec: { clusterIP, publishNotReadyAddresses = false, selector, ports = [] } }: Service,
  spec: Spec,
  deployment?: Deployment,
): string[] {
  const container = deployment?.spec.template.spec?.containers[0];
  const target = ports[0]?.targetPort;
  const reached =
    typeof target === "number" ? target : container?.ports?.find(({ name }) => name === target)?.containerPort;
  return [
    ...differences(
      "the Service",
      { clusterIP, publishNotReadyAddresses },
      { clusterIP: "None", publishNotReadyAddresses: false },
    ),
    ...(ports.length === 1 && ports[0]?.port === spec.port && reached === spec.port
      ? []
      : [`the Service leads to ${JSON.stringify(ports)}, not to ${spec.port}`]),
    ...differences(
      "what the Service selects",
      deployment?.spec.template.metadata?.labels ?? {},
      selector ?? { nothing: "" },
    ),
  ];
}

const HEALTHY = { Available: "True", Progressing: "False", Degraded: "False", Ready: "True" };

function ofStatus(
  { namespace, name }: Cache,
  { metadata: { generation }, status = {} }: Memcached,
  spec: Spec,
): string[] {
  const { conditions = [], observedGeneration, replicas, readyReplicas, servers } = status;
  const said = Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
  const old = [observedGeneration, ...conditions.map((condition) => condition.observedGeneration)];
  const address = `${name}.${namespace}.svc.cluster.local:${spec.port}`;
  return [
    ...(old.every((each) => each === generation)
      ? []
      : [`the status is of generation ${old.join(", ")}, not ${generation}`]),
    ...differences("the conditions", said, HEALTHY),
    ...differences("the status", { replicas, readyReplicas }, { replicas: spec.size, readyReplicas: spec.size }),
    ...(servers?.length === 1 && servers[0] === address
      ? []
      : [`status.servers is ${servers?.join()}, not ${address}`]),
  ];
}

function ofMark({ mark }: Cache, deployment?: Deployment): string[] {
  if (!mark || deployment?.metadata.uid !== mark.uid) return [];
  return deployment.metadata.annotations?.[MARK] === mark.value ? [] : ["an annotation of someone else is gone"];
}

/** Fields of `wanted` that `found` does not have. */
function differences(of: string, found: object | undefined, wanted: object): string[] {
  const values = new Map(Object.entries(found ?? {}));
  return Object.entries(wanted).flatMap(([field, value]) =>
    values.get(field) === value ? [] : [`${of}: ${field} is ${String(values.get(field))}, not ${String(value)}`],
  );
}

const mebibytes = (quantity: string): number => parseQuantity(quantity) / 2 ** 20;
