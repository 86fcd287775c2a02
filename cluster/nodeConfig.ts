/** The configuration files of the node's parts, as pure functions of the cluster's settings. */
import { join } from "node:path";
import { cgroupRoot } from "./cgroups";
import { BRIDGE } from "./network";
import { addresses, type ClusterSettings } from "./settings";

export const SANDBOX_IMAGE = "localhost/memcached-cluster-pause:1";

/** containerd's socket, which `ctr --address` takes as well. */
export const containerdSocket = ({ dir }: ClusterSettings): string => join(dir, "containerd", "containerd.sock");

/** `overlay` is false where the state folder cannot carry an overlay file system. */
export function containerdToml({ dir }: ClusterSettings, overlay: boolean): string {
  return `version = 2
root = "${dir}/containerd/root"
state = "${dir}/containerd/state"
disabled_plugins = ["io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
  address = "${dir}/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  # Without CAP_SYS_RESOURCE, as in many containers and virtual machines, runc cannot lower a process's OOM score.
  restrict_oom_score_adj = true
  sandbox_image = "${SANDBOX_IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "${dir}/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "${overlay ? "overlayfs" : "native"}"
`;
}

export function cniConflist(settings: ClusterSettings): string {
  return JSON.stringify({
    cniVersion: "0.4.0",
    name: settings.name,
    plugins: [
      {
        type: "bridge",
        bridge: BRIDGE,
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: {
          type: "host-local",
          ranges: [[{ subnet: addresses(settings).pods }]],
          routes: [{ dst: "0.0.0.0/0" }],
        },
      },
      { type: "portmap", capabilities: { portMappings: true } },
    ],
  });
}

export function kubeletConfig(settings: ClusterSettings): string {
  const { dir } = settings;
  return JSON.stringify({
    apiVersion: "kubelet.config.k8s.io/v1beta1",
    kind: "KubeletConfiguration",
    authentication: {
      anonymous: { enabled: false },
      webhook: { enabled: true },
      x509: { clientCAFile: join(dir, "pki", "ca.crt") },
    },
    authorization: { mode: "Webhook" },
    tlsCertFile: join(dir, "pki", "kubelet.crt"),
    tlsPrivateKeyFile: join(dir, "pki", "kubelet.key"),
    cgroupDriver: "cgroupfs",
    cgroupRoot: cgroupRoot(settings),
    failCgroupV1: false,
    failSwapOn: false,
    containerRuntimeEndpoint: `unix://${containerdSocket(settings)}`,
    clusterDNS: [addresses(settings).dnsService],
    clusterDomain: "cluster.local",
    resolvConf: "",
    maxPods: 250,
    evictionHard: { "memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%" },
    // What is looked at changes within seconds in tests and first tries: sync often, report at once.
    syncFrequency: "10s",
    nodeStatusUpdateFrequency: "4s",
  });
}

/** `forward` where names of the world can be asked for. */
export function corefile(settings: ClusterSettings, forward: boolean): string {
  return `.:53 {
  bind ${addresses(settings).gateway}
  errors
  ready 127.0.0.1:8181
  kubernetes cluster.local in-addr.arpa ip6.arpa {
    kubeconfig ${join(settings.dir, "coredns.kubeconfig")} ${settings.name}
  }
  cache 5
  ${forward ? "forward . /etc/resolv.conf" : ""}
}
`;
}
