// The operator and two caches in a stack of your own. In your project, import from "pulumi-memcached-operator".
import { Config } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator } from "../../components";

const config = new Config();

const operator = new MemcachedOperator("memcached-operator", {
  image: config.require("operatorImage"),
  operandImage: config.get("memcachedImage"),
});

const sessions = new Memcached("sessions", { size: 3, memory: "256Mi", connections: 4096 }, { dependsOn: operator });

// No size: kubectl scale or a HorizontalPodAutoscaler owns it.
const pages = new Memcached("pages", { memory: "1Gi", maxItemSize: "4Mi" }, { dependsOn: operator });

export const sessionServers = sessions.servers;
export const pageServers = pages.servers;
