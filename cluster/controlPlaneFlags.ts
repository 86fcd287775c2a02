/** The flags of etcd, kube-apiserver and kube-controller-manager, as pure functions of where and what they are. */
import { join } from "node:path";
import type { Subject } from "./pki";

export interface ControlPlaneLayout {
  /** Folder of state: `pki`, `etcd`, kubeconfigs and logs are in it. */
  dir: string;
  etcdPort: number;
  etcdPeerPort: number;
  apiPort: number;
  /** Address that the API server listens on. */
  bindAddress: string;
  /** Address that the `kubernetes` Service leads to, as pods see it. */
  advertiseAddress: string;
  serviceCidr: string;
  /** First address of `serviceCidr`. */
  serviceIp: string;
}

/** Who gets a certificate in a control plane. */
export function controlPlaneSubjects(layout: ControlPlaneLayout): Subject[] {
  const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
  const addresses = ["127.0.0.1", "::1", layout.serviceIp, layout.advertiseAddress];
  return [
    { file: "apiserver", commonName: "kube-apiserver", names: [...new Set([...names, ...addresses])] },
    { file: "admin", commonName: "admin", organisation: "system:masters" },
    { file: "controller-manager", commonName: "system:kube-controller-manager" },
    { file: "front-proxy", commonName: "front-proxy" },
  ];
}

/** `durable` keeps what is written over a power cut; without it writes are faster. */
export function etcdFlags(layout: ControlPlaneLayout, durable: boolean): string[] {
  const client = `http://127.0.0.1:${layout.etcdPort}`;
  const peer = `http://127.0.0.1:${layout.etcdPeerPort}`;
  return [
    `--data-dir=${join(layout.dir, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--auto-compaction-retention=0",
    "--log-level=warn",
    ...(durable ? [] : ["--unsafe-no-fsync"]),
  ];
}

export interface ApiServerOptions {
  /** Full path of an audit log at Metadata level, whose policy file lies beside it as `audit-policy.yaml`. */
  auditLog?: string;
  /** Admission plugins beside the server's defaults and NodeRestriction. */
  admissionPlugins?: readonly string[];
}

export function apiServerFlags(layout: ControlPlaneLayout, options: ApiServerOptions = {}): string[] {
  const pki = (name: string) => join(layout.dir, "pki", name);
  return [
    `--etcd-servers=http://127.0.0.1:${layout.etcdPort}`,
    `--bind-address=${layout.bindAddress}`,
    `--advertise-address=${layout.advertiseAddress}`,
    `--secure-port=${layout.apiPort}`,
    `--cert-dir=${join(layout.dir, "pki")}`,
    `--tls-cert-file=${pki("apiserver.crt")}`,
    `--tls-private-key-file=${pki("apiserver.key")}`,
    `--client-ca-file=${pki("ca.crt")}`,
    `--service-account-key-file=${pki("sa.pub")}`,
    `--service-account-signing-key-file=${pki("sa.key")}`,
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-cluster-ip-range=${layout.serviceCidr}`,
    "--authorization-mode=Node,RBAC",
    `--enable-admission-plugins=${["NodeRestriction", ...(options.admissionPlugins ?? [])].join(",")}`,
    "--allow-privileged=true",
    "--kubelet-preferred-address-types=InternalIP",
    `--kubelet-client-certificate=${pki("admin.crt")}`,
    `--kubelet-client-key=${pki("admin.key")}`,
    `--kubelet-certificate-authority=${pki("ca.crt")}`,
    `--requestheader-client-ca-file=${pki("ca.crt")}`,
    "--requestheader-allowed-names=front-proxy",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    `--proxy-client-cert-file=${pki("front-proxy.crt")}`,
    `--proxy-client-key-file=${pki("front-proxy.key")}`,
    ...(options.auditLog
      ? [
          `--audit-log-path=${options.auditLog}`,
          `--audit-policy-file=${join(options.auditLog, "..", "audit-policy.yaml")}`,
          // One file, in MiB: who counts requests reads on from where they were.
          "--audit-log-maxsize=4096",
        ]
      : []),
  ];
}

/** `controllers` as the flag takes them, e.g. `["*"]` or `["garbagecollector-controller", "namespace-controller"]`. */
export function controllerManagerFlags(
  layout: ControlPlaneLayout,
  controllers: readonly string[],
  podCidr?: string,
): string[] {
  const pki = (name: string) => join(layout.dir, "pki", name);
  const kubeconfig = join(layout.dir, "controller-manager.kubeconfig");
  return [
    `--kubeconfig=${kubeconfig}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    `--service-account-private-key-file=${pki("sa.key")}`,
    `--root-ca-file=${pki("ca.crt")}`,
    `--cluster-signing-cert-file=${pki("ca.crt")}`,
    `--cluster-signing-key-file=${pki("ca.key")}`,
    `--controllers=${controllers.join(",")}`,
    "--use-service-account-credentials=true",
    "--leader-elect=false",
    // By default each controller holds itself to 20 requests a second: after a burst it would be many seconds behind.
    "--kube-api-qps=500",
    "--kube-api-burst=1000",
    // 15 s by default, which every test of an autoscaler, and everyone who tries one, would wait for.
    "--horizontal-pod-autoscaler-sync-period=2s",
    // Serves nothing: several may run on one machine.
    "--secure-port=0",
    ...(podCidr ? [`--cluster-cidr=${podCidr}`, "--allocate-node-cidrs=true"] : []),
  ];
}
