import type { V1NetworkPolicySpec } from "@kubernetes/client-node";
import type { Field } from "./field";
import { containerPorts } from "../ports";

export const networkPolicy: Field = {
  networkPolicy: ({ spec }) => {
    const { from, allowDNS } = spec.networkPolicy ?? {};
    const ports = containerPorts(spec).map(({ containerPort, protocol }) => ({ protocol, port: containerPort }));
    const dns = ["UDP", "TCP"].map((protocol) => ({ protocol, port: 53 }));
    const rules = { ingress: [{ from, ports }], egress: allowDNS ? [{ ports: dns }] : [] };
    // The library's types call the field "from" otherwise.
    return rules as V1NetworkPolicySpec;
  },
  origins: [[/^spec\.ingress\[0\]\.from/, "spec.networkPolicy.from"]],
};
