/** The enforcement of NetworkPolicies, which a cluster has where it is asked for: for tests of who may reach what. */
import { readFileSync } from "node:fs";
import type { NodePart } from "./node";
import { runIn } from "./sandbox";
import { kubeconfigPath, type ClusterSettings } from "./settings";

const QUEUE = "100";

/**
 * The first packet of each connection that is not the node's own waits in a queue for a verdict; with nobody at the queue it
 * passes. That the bridge hands over what goes from pod to pod needs its filter in the kernel, which `physdev` loads.
 */
const RULE =
  "FORWARD -m conntrack --ctstate NEW -m physdev ! --physdev-in lo " + `-j NFQUEUE --queue-num ${QUEUE} --queue-bypass`;

/** kube-network-policies as a part of a node; ready when it serves the queue and packets go there. */
export function networkPolicyPart(settings: ClusterSettings, holder: number, command: string): NodePart {
  return {
    name: "network-policies",
    command,
    args: [`--kubeconfig=${kubeconfigPath(settings)}`, `--node=${settings.name}`, `--queue=${QUEUE}`],
    ready: async () => {
      const queues = readFileSync(`/proc/${holder}/net/netfilter/nfnetlink_queue`, "utf8");
      if (!new RegExp(`^\\s*${QUEUE} `, "m").test(queues)) return false;
      const table = "iptables -w 10 -t mangle";
      await runIn(holder, "/bin/sh", "-ec", `${table} -C ${RULE} 2>/dev/null || ${table} -A ${RULE}`);
      return true;
    },
  };
}
