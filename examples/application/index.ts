// An application that is told its servers. In your project, import from "pulumi-memcached-operator".
import { Deployment } from "@pulumi/kubernetes/apps/v1";
import { Config } from "@pulumi/pulumi";
import { Memcached } from "../../components";

const config = new Config();
const namespace = config.get("namespace") ?? "default";

const cache = new Memcached("sessions", { namespace, size: 3, memory: "256Mi" });

// It starts when the cache is ready, for it takes an output of it, and rolls only when the servers change.
const labels = { app: "shop" };
const shop = new Deployment("shop", {
  metadata: { namespace, labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        containers: [
          {
            name: "shop",
            image: config.require("image"),
            env: [{ name: "MEMCACHED_SERVERS", value: cache.servers.apply((servers) => servers.join(",")) }],
          },
        ],
      },
    },
  },
});

export const servers = cache.servers;
export const deployment = shop.metadata.name;
