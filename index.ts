// The example stack: the operator and one cache. docs/install.md lists its optional configuration.
import { Provider } from "@pulumi/kubernetes/provider";
import type { ProviderArgs } from "@pulumi/kubernetes/provider";
import { version } from "@pulumi/kubernetes/package.json";
import { Config, getStack, output, runtime } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator, OperatorImage } from "./components";
import { clusterIsSilent } from "./stack/clusterAnswers";

const config = new Config();

const provider = new Provider("kubernetes", providerArgs());
const skipAwait = config.getBoolean("skipAwait");
const clusterDomain = config.get("clusterDomain");

const operatorImage = config.get("image") ?? builtImage();
const operator = new MemcachedOperator(
  "memcached-operator",
  {
    image: operatorImage,
    operandImage: config.get("operandImage"),
    namespace: config.get("namespace"),
    watchNamespaces: config.getObject<string[]>("watchNamespaces"),
    clusterDomain,
    patchForce: config.getBoolean("patchForce"),
    skipAwait,
  },
  { provider },
);
const cache = new Memcached(
  "memcached-sample",
  {
    name: config.get("cacheName") ?? "memcached-sample",
    namespace: config.get("cacheNamespace"),
    size: config.getNumber("size") ?? 3,
    clusterDomain,
    skipAwait,
  },
  { provider, dependsOn: operator },
);

export const image = operator.image;
export const namespace = cache.namespace;
export const servers = cache.servers;
export const nodes = cache.nodes;

function builtImage() {
  const containerdAddress = config.get("imageLoad");
  return new OperatorImage("operator-image", {
    name: config.get("imageName"),
    base: config.get("imageBase"),
    engine: config.get("imageEngine"),
    push: config.getBoolean("imagePush"),
    ...(containerdAddress && { loadInto: { containerdAddress } }),
  }).image;
}

function providerArgs(): ProviderArgs {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const kubernetes = new Config("kubernetes");
  return {
    // The provider 4.29 and later refuses to create existing objects, such as a retained CRD.
    ...(major > 4 || minor >= 29 ? { upsertExistingObjects: true } : {}),
    // If this is empty, the provider reads KUBECONFIG like kubectl, including lists of files. A given file would be stored in the
    // stack's state, including its credentials.
    kubeconfig: kubernetes.get("kubeconfig") ?? "",
    // The provider waits 10 s for each request to a cluster that does not respond, which would delay a preview.
    kubeClientSettings: output(runtime.isDryRun() && clusterIsSilent()).apply((silent) =>
      silent ? { timeout: 1 } : {},
    ),
    context: kubernetes.get("context"),
    cluster: kubernetes.get("cluster"),
    namespace: kubernetes.get("namespace"),
    // A stack has one cluster, so a change of its address replaces nothing.
    clusterIdentifier: config.get("clusterIdentifier") ?? getStack(),
  } as ProviderArgs;
}
