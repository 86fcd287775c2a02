// A cache that speaks TLS and serves only those it knows. In your project, import from "pulumi-memcached-operator".
import { Secret } from "@pulumi/kubernetes/core/v1";
import { Provider } from "@pulumi/kubernetes/provider";
import { Config, interpolate, type Output } from "@pulumi/pulumi";
import { Memcached } from "../../components";
import { Authority } from "./authority";

const config = new Config();
const namespace = config.get("namespace") ?? "default";
const clusterDomain = config.get("clusterDomain") ?? "cluster.local";
const password = config.requireSecret("password");
// Good as well, while clients are moved from one to the other.
const otherPassword = config.getSecret("otherPassword");

// The names that clients connect to: the cache's, and those of the servers of a StatefulSet.
const name = "sessions";
const host = `${name}.${namespace}.svc.${clusterDomain}`;

const authority = new Authority("sessions-ca", { namespace });
const serverSecret = authority.issue("sessions-tls", { usages: ["server auth"], dnsNames: [host, `*.${host}`] });
const clientSecret = authority.issue("shop-client", { usages: ["client auth"], commonName: "shop" });

const line = (password: Output<string>) => interpolate`shop:${password}\n`;

// Another password is an update of the Secrets: a replacement would leave a moment without them.
const mutable = { provider: new Provider("mutable-secrets", { enableSecretMutable: true }) };

const users = new Secret(
  "sessions-users",
  {
    metadata: { name: "sessions-users", namespace },
    stringData: { users: otherPassword ? interpolate`${line(password)}${line(otherPassword)}` : line(password) },
  },
  mutable,
);
const login = new Secret(
  "shop-login",
  {
    metadata: { name: "shop-login", namespace },
    type: "kubernetes.io/basic-auth",
    stringData: { username: "shop", password },
  },
  mutable,
);

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
