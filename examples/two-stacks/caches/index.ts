// Caches in a stack of their own, beside the operator's. In your project, import from "pulumi-memcached-operator".
import { Config, StackReference } from "@pulumi/pulumi";
import { Memcached } from "../../../components";

const config = new Config();

// Fails at once, in a preview too, when the operator's stack is not up, rather than when a cache does not get ready.
const platform = new StackReference(config.require("operatorStack"));
const operatorNamespace = platform.requireOutput("namespace");

const sessions = new Memcached("sessions", {
  namespace: config.get("namespace"),
  size: 2,
  memory: "256Mi",
  annotations: { "example.com/operated-from": operatorNamespace },
});

export const servers = sessions.servers;
