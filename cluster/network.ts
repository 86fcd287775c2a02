/** The link between the machine and a cluster: one veth pair, one route, and two iptables rules to reach the world. */
import { readFileSync, writeFileSync } from "node:fs";
import { runIn } from "./sandbox";
import { run, tryRun, which } from "./run";
import { addresses, type ClusterSettings } from "./settings";

/** The machine's end of the link. */
const link = ({ subnet }: ClusterSettings): string => `memcached${subnet}`;

/** The bridge that pods are on, inside the cluster's namespaces. */
export const BRIDGE = "cni0";

const FORWARDING = "/proc/sys/net/ipv4/ip_forward";

/** Makes what is missing of the network; what is there stays. */
export async function ensureNetwork(settings: ClusterSettings, holder: number): Promise<void> {
  const address = addresses(settings);
  const host = link(settings);
  if ((await tryRun("ip", ["link", "show", host])).code !== 0) {
    await run("ip", ["link", "add", host, "type", "veth", "peer", "name", "eth0", "netns", String(holder)]);
    await run("ip", ["address", "add", `${address.host}/30`, "dev", host]);
    await run("ip", ["link", "set", host, "up"]);
    await run("ip", ["route", "add", address.all, "via", address.node, "dev", host]);
    await runIn(holder, "/bin/sh", "-ec", nodeScript(settings));
  }
  if (readFileSync(FORWARDING, "utf8").trim() !== "1") writeFileSync(FORWARDING, "1");
  for (const rule of worldRules(settings)) if ((await iptables("-C", rule)).code !== 0) await iptables("-I", rule);
}

/** Removes the machine's side; the cluster's own side goes with its namespaces. */
export async function removeNetwork(settings: ClusterSettings): Promise<void> {
  await tryRun("ip", ["link", "delete", link(settings)]);
  if (!which("iptables")) return;
  for (const rule of worldRules(settings)) while ((await iptables("-D", rule)).code === 0) continue;
}

const iptables = (action: string, [table, chain, ...rule]: readonly string[]) =>
  tryRun(which("iptables") ?? "iptables", ["-w", "10", "-t", table ?? "", action, chain ?? "", ...rule]);

/** Packets from the cluster to the world leave under the machine's address, also where forwarding is denied by default. */
function worldRules(settings: ClusterSettings): string[][] {
  const { all } = addresses(settings);
  const comment = ["-m", "comment", "--comment", `memcached-cluster ${settings.name}`];
  return [
    ["nat", "POSTROUTING", "-s", all, "!", "-d", all, ...comment, "-j", "MASQUERADE"],
    ["filter", "FORWARD", "-s", all, ...comment, "-j", "ACCEPT"],
    ["filter", "FORWARD", "-d", all, ...comment, "-j", "ACCEPT"],
  ];
}

function nodeScript(settings: ClusterSettings): string {
  const address = addresses(settings);
  return `
    ip link set lo up
    ip address add ${address.node}/30 dev eth0
    ip link set eth0 up
    ip route add default via ${address.host}
    ip link add ${BRIDGE} type bridge
    ip address add ${address.gateway}/24 dev ${BRIDGE}
    ip link set ${BRIDGE} up
    echo 1 > /proc/sys/net/ipv4/ip_forward
    if [ -e /proc/sys/net/bridge/bridge-nf-call-iptables ]; then
      echo 1 > /proc/sys/net/bridge/bridge-nf-call-iptables
    fi`;
}
