import { waitFor } from "../../cluster/wait";
import { HttpError } from "../../cluster/apiClient";
import { type Arena, home } from "../arena";
import type { Contender } from "../contenders";
import { Field } from "../field";
import type { Running } from "../process";
import type { Takeover } from "../results";

/** A standby that has asked for nothing but the lease this long is ready. */
const STANDBY_QUIET_MS = 3_000;

/** How long a resource waits that is made when the leader has just gone, with a warm standby at hand. */
export async function takeover(arena: Arena, contender: Contender, namespace: string): Promise<Takeover> {
  const field = await Field.open(arena.api, namespace);
  const lease = `takeover-${contender.name}`;
  const flags = ["--leader-elect", `--leader-election-namespace=${home}`, `--leader-election-id=${lease}`];
  const processes: Running[] = [];
  try {
    const [first, second] = await leaderAndStandby();
    const termMs = await handover("term", first, "SIGTERM", second);
    await second.stop("SIGKILL");
    await arena.api.json("DELETE", `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${lease}`);
    const [third, fourth] = await leaderAndStandby();
    return { termMs, killMs: await handover("kill", third, "SIGKILL", fourth) };
  } finally {
    await Promise.all(processes.map((process) => process.stop("SIGKILL")));
    await field.close();
  }

  async function leaderAndStandby(): Promise<[Running, Running]> {
    const leader = arena.start(contender, flags);
    processes.push(leader);
    await waitFor("a leader", { limitMs: 30_000 }, () => isHeld(arena, lease));
    const follower = arena.start(contender, flags);
    processes.push(follower);
    // Started, and its caches filled, where it keeps them warm: the peer opens its watches only as the leader.
    await arena.audit.quiet(arena.userOf(contender), STANDBY_QUIET_MS, 30_000);
    follower.check();
    return [leader, follower];
  }

  async function handover(name: string, leader: Running, signal: "SIGTERM" | "SIGKILL", follower: Running) {
    const from = performance.now();
    await leader.stop(signal);
    await field.create([name], 1);
    await field.until(
      `the takeover after ${signal}`,
      [name],
      () => field.touchedAt(name) !== undefined,
      () => follower.check(),
    );
    return (field.touchedAt(name) ?? NaN) - from;
  }
}

async function isHeld({ api }: Arena, lease: string): Promise<boolean> {
  try {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${lease}`;
    const { spec } = await api.json<{ spec: { holderIdentity?: string } }>("GET", path);
    return Boolean(spec.holderIdentity);
  } catch (error) {
    if (error instanceof HttpError && error.code === 404) return false;
    throw error;
  }
}
