/** The programs that the cluster and the stack run on, and how each is had: from PATH, or built from its Go module. */

/** A Go module of this repository under `cluster/tools/`, which pins the versions of what is built from it. */
export interface ToolModule {
  folder: string;
  ldflags: string;
  /** Files that the build needs beside the sources: made in the build folder from another module's folder. */
  embeds?: { module: string; files: { from: string; to: string; setVersion?: string }[] };
}

export interface Tool {
  module: ToolModule;
  /** The package to build: an import path, or a folder of the module (`./pause`). */
  package: string;
  /** The file `go build` makes of it, where that is not the tool's own name. */
  builtAs?: string;
  /** Files of a module, besides what is built, that the program wants beside it. */
  beside?: { module: string; file: string }[];
  /** How a copy on PATH tells its version, and which versions will do. Without it the tool is always built. */
  onPath?: { args: string[]; accepts: (output: string) => boolean };
}

const KUBERNETES = "1.34.4";
const PULUMI = "3.229.0";
const LANGUAGE_HOST = "3.68.0";
const YAML_HOST = "1.30.0";

/** The release of the Kubernetes provider that is built, and of @pulumi/kubernetes in package-lock.json. */
export const PROVIDER = "4.25.0";

const [major, minor] = KUBERNETES.split(".");
const component = "k8s.io/component-base/version";
const kubernetes: ToolModule = {
  folder: "kubernetes",
  ldflags: `-X ${component}.gitVersion=v${KUBERNETES} -X ${component}.gitMajor=${major} -X ${component}.gitMinor=${minor} -X ${component}.gitTreeState=clean`,
};

const pulumi: ToolModule = {
  folder: "pulumi",
  ldflags:
    `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${PULUMI} ` +
    `-X github.com/pulumi/pulumi-kubernetes/provider/v4/pkg/version.Version=${PROVIDER}`,
  embeds: {
    module: "github.com/pulumi/pulumi-kubernetes/provider/v4",
    files: [
      { from: "cmd/pulumi-resource-kubernetes/schema.json", to: "provider/schema-embed.json", setVersion: PROVIDER },
      { from: "cmd/pulumi-resource-kubernetes/terraform-mapping.json", to: "provider/terraform-mapping-embed.json" },
    ],
  },
};

const languageNodejs: ToolModule = {
  folder: "language-nodejs",
  ldflags: `-X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${LANGUAGE_HOST}`,
};

// The newest whose pulumi/pkg fits the engine's: so most of it is compiled already.
const languageYaml: ToolModule = {
  folder: "language-yaml",
  ldflags: `-X github.com/pulumi/pulumi-yaml/pkg/version.Version=v${YAML_HOST}`,
};

// Kubernetes' versions of what it imports: so most of it is compiled already.
const networkPolicies: ToolModule = { folder: "network-policies", ldflags: "" };
const certManager: ToolModule = { folder: "cert-manager", ldflags: "" };
const kstatus: ToolModule = { folder: "kstatus", ldflags: "" };
const controllerRuntime: ToolModule = { folder: "controller-runtime", ldflags: "" };

const sameMinor = (output: string): boolean => new RegExp(`v${major}\\.${minor}\\.\\d+\\b`).test(output);

/** True for a version in `output` at or above the given one. */
function atLeast(output: string, wantMajor: number, wantMinor: number): boolean {
  const found = /v?(\d+)\.(\d+)\.\d+/.exec(output);
  if (!found) return false;
  const [a, b] = [Number(found[1]), Number(found[2])];
  return a === wantMajor && b >= wantMinor;
}

const kube = (name: string): Tool => ({
  module: kubernetes,
  package: `k8s.io/kubernetes/cmd/${name}`,
  onPath: { args: ["--version"], accepts: sameMinor },
});

/** Files of CustomResourceDefinitions that are put beside the tool `cert-manager`. */
export const certManagerResources = ["certificaterequests", "certificates", "clusterissuers", "issuers"].map(
  (resource) => `cert-manager.io_${resource}.yaml`,
);

export const tools = {
  // 3.6 and later: before it, every streaming list of the API server ends in an error.
  etcd: {
    module: kubernetes,
    package: "go.etcd.io/etcd/server/v3",
    builtAs: "server",
    onPath: { args: ["--version"], accepts: (output) => atLeast(output, 3, 6) },
  },
  "kube-apiserver": kube("kube-apiserver"),
  "kube-controller-manager": kube("kube-controller-manager"),
  "kube-scheduler": kube("kube-scheduler"),
  kubelet: kube("kubelet"),
  "kube-proxy": kube("kube-proxy"),
  kubectl: {
    ...kube("kubectl"),
    onPath: { args: ["version", "--client"], accepts: (output) => atLeast(output, 1, 33) },
  },
  coredns: { module: kubernetes, package: "./coredns" },
  pause: { module: kubernetes, package: "./pause" },
  pulumi: {
    module: pulumi,
    package: "github.com/pulumi/pulumi/pkg/v3/cmd/pulumi",
    onPath: { args: ["version"], accepts: (output) => atLeast(output, 3, 150) },
  },
  "pulumi-resource-kubernetes": { module: pulumi, package: "./provider", builtAs: "provider" },
  "pulumi-language-nodejs": {
    module: languageNodejs,
    package: "github.com/pulumi/pulumi/sdk/v3/nodejs/cmd/pulumi-language-nodejs",
    onPath: { args: ["-help"], accepts: () => true },
  },
  "pulumi-language-python": {
    module: languageNodejs,
    package: "github.com/pulumi/pulumi/sdk/v3/python/cmd/pulumi-language-python",
    beside: [{ module: "github.com/pulumi/pulumi/sdk/v3", file: "python/cmd/pulumi-language-python-exec" }],
  },
  "pulumi-language-yaml": {
    module: languageYaml,
    package: "github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml",
  },
  sdkgen: { module: languageYaml, package: "./sdkgen" },
  // For tests: the enforcement of NetworkPolicies.
  "network-policies": { module: networkPolicies, package: "memcached.example/cluster/tools/network-policies" },
  // For tests: a cert-manager, and its CustomResourceDefinitions.
  "cert-manager": {
    module: certManager,
    package: "memcached.example/cluster/tools/cert-manager",
    beside: certManagerResources.map((file) => ({
      module: "github.com/cert-manager/cert-manager",
      file: `deploy/crds/${file}`,
    })),
  },
  // For a test: what others who wait make of a Memcached.
  kstatus: { module: kstatus, package: "./kstatus" },
  // For the bench: the operator to race against.
  "controller-runtime": { module: controllerRuntime, package: "memcached.example/bench/controller-runtime" },
} satisfies Record<string, Tool>;

export type ToolName = keyof typeof tools;

export const controlPlaneTools = [
  "etcd",
  "kube-apiserver",
  "kube-controller-manager",
  "kubectl",
] as const satisfies readonly ToolName[];

export const clusterTools = [
  ...controlPlaneTools,
  "kube-scheduler",
  "kubelet",
  "kube-proxy",
  "coredns",
  "pause",
] as const satisfies readonly ToolName[];

export const pulumiTools = [
  "pulumi",
  "pulumi-resource-kubernetes",
  "pulumi-language-nodejs",
] as const satisfies readonly ToolName[];

/** For tests of the package in other languages. */
export const languageTools = [
  "pulumi-language-python",
  "pulumi-language-yaml",
  "sdkgen",
] as const satisfies readonly ToolName[];
