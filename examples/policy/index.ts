// Rules that hold for every resource of the stack, in a preview already. In your project, import from "pulumi-memcached-operator".
import { Config, RunError, runtime } from "@pulumi/pulumi";
import { Memcached } from "../../components";
import { violations } from "./rules";

runtime.registerStackTransformation(({ type, name, props }) => {
  const found = violations({ type, name, props });
  if (found.length > 0) throw new RunError(found.join("; "));
  return undefined;
});

const config = new Config();

const cache = new Memcached("sessions", {
  namespace: config.get("namespace"),
  size: config.getNumber("size") ?? 2,
  labels: { team: "shop" },
});

export const servers = cache.servers;
