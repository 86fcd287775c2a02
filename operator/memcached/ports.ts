import type { V1ContainerPort, V1ServicePort } from "@kubernetes/client-node";
import type { DefaultedSpec } from "../../api";

type Ports = Pick<DefaultedSpec, "port" | "tls">;

/** The server's ports: `memcached`, which speaks TLS where spec.tls is set, and `plaintext` beside it for a time. */
export function containerPorts({ port, tls }: Ports): V1ContainerPort[] {
  const named = (name: string, containerPort: number) => ({ name, containerPort, protocol: "TCP" });
  return [
    named("memcached", port),
    ...(tls?.plaintextPort === undefined ? [] : [named("plaintext", tls.plaintextPort)]),
  ];
}

/** The Service's ports, by the same numbers and names. */
export function servicePorts(spec: Ports): V1ServicePort[] {
  return containerPorts(spec).map(({ name, containerPort }) => ({
    name,
    port: containerPort,
    targetPort: name,
    protocol: "TCP",
    // Or a mesh guesses at a protocol that it does not know.
    appProtocol: name === "memcached" && spec.tls ? "tls" : "tcp",
  }));
}
