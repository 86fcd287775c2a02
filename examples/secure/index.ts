// A cache that speaks TLS and serves only those it knows. In your project, import from "pulumi-memcached-operator".
import { Secret } from "@pulumi/kubernetes/core/v1";
import { Config, interpolate } from "@pulumi/pulumi";
import { Memcached } from "../../components";
import { Authority } from "./authority";

const config = new Config();
const namespace = config.get("namespace") ?? "default";
const clusterDomain = config.get("clusterDomain") ?? "cluster.local";
const password = config.requireSecret("password");

// The names that clients connect to: the cache's, and those of the servers of a StatefulSet.
const name = "sessions";
const host = `${name}.${namespace}.svc.${clusterDomain}`;

const authority = new Authority("sessions-ca", { namespace });
const serverSecret = authority.issue("sessions-tls", { usages: ["server auth"], dnsNames: [host, `*.${host}`] });
const clientSecret = authority.issue("shop-client", { usages: ["client auth"], commonName: "shop" });

// Not immutable, so that another password is an update: a replacement would leave a moment without the Secret.
const users = new Secret("sessions-users", {
  metadata: { name: "sessions-users", namespace },
  stringData: { users: interpolate`shop:${password}\n` },
  immutable: false,
});
const login = new Secret("shop-login", {
  metadata: { name: "shop-login", namespace },
  type: "kubernetes.io/basic-auth",
  stringData: { username: "shop", password },
  immutable: false,
});

const sessions = new Memcached(name, {
  name,
  namespace,
  clusterDomain,
  size: 3,
  workload: "StatefulSet",
  tls: { secretName: serverSecret, clientCA: { secretName: serverSecret }, minVersion: "1.3" },
  auth: { secretName: users.metadata.name },
  networkPolicy: { from: [{ podSelector: { matchLabels: { app: "shop" } } }] },
});

export const servers = sessions.servers;

/** The Secrets for the pods of the application. */
export const clientSecrets = [clientSecret, login.metadata.name];
