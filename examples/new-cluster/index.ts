// A cluster, the operator and a cache in one program. In your project, import from "pulumi-memcached-operator".
import { Provider } from "@pulumi/kubernetes";
import { Config } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator } from "../../components";
import { CommandCluster } from "./commandCluster";

const config = new Config();

const cluster = new CommandCluster("cluster", {
  create: config.get("createCluster") ?? "kind create cluster --name caches >&2 && kind get kubeconfig --name caches",
  remove: config.get("removeCluster") ?? "kind delete cluster --name caches",
});

// What goes with the cluster need not be deleted one by one.
const provider = new Provider("cluster", { kubeconfig: cluster.kubeconfig, clusterIdentifier: "caches" });
const inCluster = { provider, deletedWith: cluster };

const operator = new MemcachedOperator(
  "memcached-operator",
  { image: config.require("operatorImage"), operandImage: config.get("memcachedImage") },
  inCluster,
);
const cache = new Memcached(
  "sessions",
  { namespace: config.get("namespace"), size: 2 },
  { ...inCluster, dependsOn: operator },
);

export const servers = cache.servers;
