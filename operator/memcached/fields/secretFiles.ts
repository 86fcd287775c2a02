import type { V1Container, V1Probe, V1Volume, V1VolumeProjection } from "@kubernetes/client-node";
import type { DefaultedSpec } from "../../../api";
import { sourcesOf } from "../secrets/sources";
import { containerSecurity, podSecurity } from "../security";
import { secretType } from "../types";
import type { Context, Field } from "./field";
import { image } from "./image";
import { reloadScript } from "./reloadScript";

/** Where the files of spec.tls and spec.auth are in the container. All lie in one volume, which the kubelet changes in one step. */
const folder = "/etc/memcached";
const file = (name: string): string => `${folder}/${name}`;

const volumeName = "secrets";
const mounts = [{ name: volumeName, mountPath: folder, readOnly: true }];

type Secured = Pick<DefaultedSpec, "port" | "tls" | "auth" | "reload">;

const hasFiles = (spec: Secured): boolean => sourcesOf(spec).length > 0;

/** What spec.tls and spec.auth add to memcached's command line. Options of TLS are those of memcached 1.6.45 (doc/tls.txt). */
export function secretArgs(spec: Secured): string[] {
  const { tls, auth } = spec;
  return [...(tls ? tlsArgs(tls, spec.port) : []), ...(auth ? [`--auth-file=${file("users")}`] : [])];
}

function tlsArgs(tls: NonNullable<DefaultedSpec["tls"]>, port: number): string[] {
  const options = [
    `ssl_chain_cert=${file("tls.crt")}`,
    `ssl_key=${file("tls.key")}`,
    `ssl_min_version=${tls.minVersion === "1.3" ? 3 : 2}`,
    // 2: a client without a certificate that fits is refused.
    ...(tls.clientCA ? [`ssl_ca_cert=${file("client-ca.crt")}`, "ssl_verify_mode=2"] : []),
  ];
  return [
    "--enable-ssl",
    `--extended=${options.join(",")}`,
    ...(tls.plaintextPort === undefined ? [] : [`--listen=*:${port},notls:*:${tls.plaintextPort}`]),
  ];
}

function volume(spec: Secured): V1Volume {
  const sources = sourcesOf(spec).flatMap(({ type, name, files }): V1VolumeProjection[] =>
    files.map((each) => ({ [type === secretType ? "secret" : "configMap"]: { name, items: [each] } })),
  );
  // 0440: for the group that the pod's fsGroup names.
  return { name: volumeName, projected: { defaultMode: 0o440, sources } };
}

/** The helper that tells memcached of changed files: a sidecar, so that it starts before the server and ends after it. */
function helper(context: Context): V1Container {
  const { spec } = context;
  const server = image.container?.(context);
  return {
    name: "reload",
    image: spec.reload?.image ?? server?.image,
    imagePullPolicy: server?.imagePullPolicy,
    restartPolicy: "Always",
    // Tries new files on a port of its own, which nobody outside the pod reaches.
    command: ["sh", "-c", reloadScript, folder, ...trialArgs(spec)],
    resources: { requests: { cpu: "1m", memory: "24Mi" }, limits: { memory: "24Mi" } },
    volumeMounts: mounts,
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity,
  };
}

function trialArgs(spec: Secured): string[] {
  const taken = [spec.port, spec.tls?.plaintextPort];
  const port = [1024, 1025, 1026].find((each) => !taken.includes(each)) ?? 1024;
  const args = secretArgs({ ...spec, tls: spec.tls && { ...spec.tls, plaintextPort: undefined } });
  return ["--listen=127.0.0.1", `--port=${port}`, "--memory-limit=8", "--threads=1", "--conn-limit=32", ...args];
}

/**
 * Whether the server listens, read from the kernel's table: a connection that says nothing, as a TCP probe makes, is an error in the log of a
 * server that speaks TLS. 0A is the state of a socket that listens.
 */
function listens(port: number): Pick<V1Probe, "exec"> {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  const script = `while read -r _ at _ state _; do case "$at $state" in *:${hex}" 0A") exit 0;; esac; done; exit 1`;
  return { exec: { command: ["sh", "-c", `cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | { ${script}; }`] } };
}

/** The image that helps has a shell; the server's need not. */
function probes({ port, tls, reload }: Secured): Partial<V1Container> {
  if (!tls || reload?.image !== undefined) return {};
  return {
    startupProbe: { ...listens(port), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...listens(port), periodSeconds: 10, timeoutSeconds: 5 },
    livenessProbe: { ...listens(port), periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 4 },
  };
}

export const secretFiles: Field = {
  pod: (context) =>
    hasFiles(context.spec)
      ? {
          volumes: [volume(context.spec)],
          // The helper sends its signal to a process of another container.
          shareProcessNamespace: true,
          securityContext: podSecurity(context.environment, true),
          initContainers: [helper(context)],
        }
      : {},
  container: ({ spec }) => (hasFiles(spec) ? { volumeMounts: mounts, ...probes(spec) } : {}),
  origins: [
    [/^spec\.template\.spec\.(initContainers\[0\]\.image)/, "spec.reload.image"],
    [/^spec\.template\.spec\.volumes\[0\]/, "spec.tls and spec.auth"],
  ],
};
