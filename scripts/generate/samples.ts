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
    name: "memcached-sample",
    spec: { size: 1 },
  },
  {
    file: "cache_v1_memcached_large",
    comment: "A large cache with many clients: 4 GiB of items on each server, and memory beside it for connections.",
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
    comment: 'Items of up to 8 MiB, which memcached refuses by default with "object too large for cache".',
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
