/** The parts of a one-node cluster: what each is started with, and how to tell that it serves. */
import { readFileSync, statfsSync, writeFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./apiClient";
import { apiServerFlags, controllerManagerFlags, etcdFlags, type ControlPlaneLayout } from "./controlPlaneFlags";
import { cniConflist, containerdSocket, containerdToml, corefile, kubeletConfig } from "./nodeConfig";
import { tryRun } from "./run";
import { addresses, apiUrl, type ClusterSettings } from "./settings";
import type { ToolName } from "./toolList";

export interface NodePart {
  /** The program's name, as in its command line. */
  name: string;
  command: string;
  args: string[];
  /** True once it serves; asked again until then. */
  ready(): Promise<boolean>;
}

export function layoutOf(settings: ClusterSettings): ControlPlaneLayout {
  const address = addresses(settings);
  return {
    dir: settings.dir,
    etcdPort: 2379,
    etcdPeerPort: 2380,
    apiPort: 6443,
    bindAddress: "0.0.0.0",
    advertiseAddress: address.node,
    serviceCidr: address.services,
    serviceIp: address.apiService,
  };
}

/** Writes the configuration files. `fresh` when the namespaces are new, and nothing of the last run is alive. */
export function writeNodeConfig(settings: ClusterSettings, fresh: boolean): void {
  const { dir } = settings;
  mkdirSync(join(dir, "cni"), { recursive: true });
  mkdirSync(join(dir, "containerd"), { recursive: true });
  if (fresh) rmSync(join(dir, "containerd", "state"), { recursive: true, force: true });
  writeFileSync(join(dir, "containerd.toml"), containerdToml(settings, !onOverlay(dir)));
  writeFileSync(join(dir, "cni", "10-bridge.conflist"), cniConflist(settings));
  writeFileSync(join(dir, "kubelet.json"), kubeletConfig(settings));
  writeFileSync(join(dir, "Corefile"), corefile(settings, hasResolver()));
}

/** All parts in the order they are started; each is ready before the next. */
export function nodeParts(settings: ClusterSettings, tools: Record<ToolName, string>): NodePart[] {
  const { dir, name } = settings;
  const layout = layoutOf(settings);
  const client = new ApiClient(apiUrl(settings), join(dir, "pki"));
  const kubeconfig = (user: string) => join(dir, `${user}.kubeconfig`);
  const own = (user: string) => [
    `--kubeconfig=${kubeconfig(user)}`,
    `--authentication-kubeconfig=${kubeconfig(user)}`,
    `--authorization-kubeconfig=${kubeconfig(user)}`,
  ];
  const started = () => Promise.resolve(true);
  const part = (tool: ToolName, args: string[], ready: NodePart["ready"] = started): NodePart => {
    return { name: tool, command: tools[tool], args, ready };
  };
  return [
    part("etcd", etcdFlags(layout, true)),
    part("kube-apiserver", apiServerFlags(layout), async () => (await client.request("GET", "/readyz")).code === 200),
    part("kube-controller-manager", controllerManagerFlags(layout, ["*"], addresses(settings).pods)),
    part("kube-scheduler", [...own("scheduler"), "--leader-elect=false", "--bind-address=127.0.0.1"]),
    {
      name: "containerd",
      command: "containerd",
      args: ["--config", join(dir, "containerd.toml")],
      ready: async () => (await tryRun("ctr", ["--address", containerdSocket(settings), "version"])).code === 0,
    },
    part(
      "kubelet",
      [
        `--config=${join(dir, "kubelet.json")}`,
        `--kubeconfig=${kubeconfig("kubelet")}`,
        `--hostname-override=${name}`,
        `--node-ip=${addresses(settings).node}`,
      ],
      () => nodeReady(client, name),
    ),
    part("kube-proxy", [
      `--kubeconfig=${kubeconfig("proxy")}`,
      `--hostname-override=${name}`,
      `--cluster-cidr=${addresses(settings).pods}`,
      "--proxy-mode=iptables",
      // These sysctls belong to the machine, not to a cluster on it.
      "--conntrack-max-per-core=0",
      "--conntrack-tcp-timeout-established=0",
      "--conntrack-tcp-timeout-close-wait=0",
    ]),
    part("coredns", ["-conf", join(dir, "Corefile")]),
  ];
}

interface NodeObject {
  status?: { conditions?: { type: string; status: string }[] };
}

async function nodeReady(client: ApiClient, name: string): Promise<boolean> {
  const node = await client.json<NodeObject>("GET", `/api/v1/nodes/${name}`);
  return node.status?.conditions?.some((c) => c.type === "Ready" && c.status === "True") ?? false;
}

/** An overlay cannot lie on another; OVERLAYFS_SUPER_MAGIC of statfs(2). */
const onOverlay = (dir: string): boolean => statfsSync(dir).type === 0x794c7630;

const hasResolver = (): boolean => /^nameserver\s+\S+/m.test(readFileSync("/etc/resolv.conf", "utf8"));
