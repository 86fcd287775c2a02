import { defaultMemcachedImage, group, kind, type MemcachedSpec } from "../../api";
import { operatorNetworkPolicies } from "../../components/manifests";
import { yamlOf } from "./yaml";

interface Sample {
  file: string;
  comment: string;
  version?: string;
  name: string;
  spec: MemcachedSpec;
}

const samples: Sample[] = [
  {
    file: "cache_v1_memcached",
    comment: "Three servers with everything else as it is by default.",
    name: "memcached-sample",
    spec: { size: 3 },
  },
  {
    file: "cache_v1alpha1_memcached",
    comment: "The deprecated version: the same fields, and 1 to 3 servers.",
    version: "v1alpha1",
    name: "memcached-v1alpha1",
    spec: { size: 1 },
  },
  {
    file: "cache_v1_memcached_large",
    comment: [
      "A large cache with many clients: 4 GiB of items on each server, and memory beside it for connections.",
      "It needs nodes with room for five servers of 2 CPUs and 5 GiB each: lower size and resources for a small cluster,",
      "or servers stay Pending and kubectl get mc -o wide says why.",
    ].join("\n"),
    name: "memcached-large",
    spec: {
      size: 5,
      memory: "4Gi",
      connections: 8192,
      threads: 8,
      resources: { requests: { cpu: "2", memory: "5Gi" }, limits: { memory: "5Gi" } },
    },
  },
  {
    file: "cache_v1_memcached_large_items",
    comment: [
      'Items of up to 8 MiB, which memcached refuses by default with "object too large for cache". A cache of their own, for once',
      "small values fill a server it has no room for them; its memory holds 64, so that 63 can be written at the same time.",
    ].join("\n"),
    name: "memcached-large-items",
    spec: { size: 2, memory: "512Mi", maxItemSize: "8Mi" },
  },
  {
    file: "cache_v1_memcached_private_registry",
    comment: "The image from a registry of your own. The Secret has to be in the same namespace.",
    name: "memcached-private-registry",
    spec: {
      size: 2,
      image: `registry.example.com/${defaultMemcachedImage.split("/").pop()}`,
      imagePullPolicy: "Always",
      imagePullSecrets: [{ name: "registry-credentials" }],
    },
  },
  {
    file: "cache_v1_memcached_tuned",
    comment: "Flags of memcached that have no field: idle clients leave after five minutes, flush_all is off.",
    name: "memcached-tuned",
    spec: { size: 2, verbosity: 0, extraArgs: ["-o", "idle_timeout=300", "--disable-flush-all"] },
  },
  {
    file: "cache_v1_memcached_stateful",
    comment: [
      "Servers with names that stay, memcached-stateful-0.memcached-stateful.NAMESPACE.svc.cluster.local and so on, for",
      "clients that hash keys over servers: status.servers lists them in order. Resizing adds and removes at the end.",
    ].join("\n"),
    name: "memcached-stateful",
    spec: { size: 3, workload: "StatefulSet" },
  },
  {
    file: "cache_v1_memcached_zones",
    comment: [
      "Spread evenly over zones, and over nodes within them where that is possible. Nodes without the label",
      "topology.kubernetes.io/zone, such as those of most test clusters, run none of these servers.",
    ].join("\n"),
    name: "memcached-zones",
    spec: {
      size: 3,
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" },
        { maxSkew: 1, topologyKey: "kubernetes.io/hostname", whenUnsatisfiable: "ScheduleAnyway" },
      ],
    },
  },
  {
    file: "cache_v1_memcached_dedicated_nodes",
    comment: [
      "On nodes of their own, one server a node. Prepare them:",
      "kubectl label node NODE node.example.com/pool=cache && kubectl taint node NODE dedicated=cache:NoSchedule",
    ].join("\n"),
    name: "memcached-dedicated",
    spec: {
      size: 2,
      nodeSelector: { "node.example.com/pool": "cache" },
      tolerations: [{ key: "dedicated", operator: "Equal", value: "cache", effect: "NoSchedule" }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              topologyKey: "kubernetes.io/hostname",
              labelSelector: { matchLabels: { "app.kubernetes.io/instance": "memcached-dedicated" } },
            },
          ],
        },
      },
      podLabels: { team: "platform" },
    },
  },
  {
    file: "cache_v1_memcached_load_balancer",
    comment: [
      "Reached from outside the cluster through one address. memcached asks nobody for a password: keep the address",
      "internal, as the annotation does on AWS. One server, for behind one address clients cannot choose among several.",
    ].join("\n"),
    name: "memcached-load-balancer",
    spec: {
      size: 1,
      service: {
        type: "LoadBalancer",
        annotations: { "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
      },
    },
  },
];

const networkPolicy =
  "For clusters that enforce NetworkPolicies: only namespaces labelled metrics=enabled reach the operator's metrics.";

/** Paths and texts of the samples, and of what a cluster may want beside the operator. */
export function sampleFiles(): [path: string, text: string][] {
  return [
    ...samples.map(({ file, comment, version = "v1", name, spec }): [string, string] => [
      `deploy/samples/${file}.yaml`,
      yamlOf(comment, { apiVersion: `${group}/${version}`, kind, metadata: { name }, spec }),
    ]),
    [
      "deploy/network-policy/allow-metrics-traffic.yaml",
      yamlOf(networkPolicy, ...operatorNetworkPolicies({ image: "" })),
    ],
  ];
}
