import { waitFor } from "../../cluster/wait";
import { HttpError } from "../api";
import { type Arena, home } from "../arena";
import type { Contender } from "../contenders";
import { Field } from "../field";
import type { Running } from "../process";
import type { Takeover } from "../results";

/** How long a resource waits that is made when the leader has just gone, with a warm standby at hand. */
export async function takeover(arena: Arena, contender: Contender, namespace: string): Promise<Takeover> {
  const field = await Field.open(arena.api, namespace);
  const lease = `takeover-${contender.name}`;
  const flags = ["--leader-elect", `--leader-election-namespace=${home}`, `--leader-election-id=${lease}`];
  const standby = async (): Promise<Running> => {
    const mark = arena.audit.mark();
    const process = arena.start(contender, flags);
    await waitFor("the standby's caches", { limitMs: 30_000 }, async () => {
      process.check();
      return (await arena.audit.requests(arena.userOf(contender), mark))["watch memcacheds"] !== undefined;
    });
    return process;
  };
  const processes: Running[] = [];
  try {
    const [first, second] = await leaderAndStandby();
    const termMs = await handover("term", first, "SIGTERM", second);
    await second.stop("SIGKILL");
    await arena.api.request("DELETE", `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${lease}`);
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
    const follower = await standby();
    processes.push(follower);
    return [leader, follower];
  }

  async function handover(name: string, leader: Running, signal: "SIGTERM" | "SIGKILL", follower: Running) {
    const from = performance.now();
    await leader.stop(signal);
    await field.create([name], 1);
    await field.until(`the takeover after ${signal}`, [name], () => field.touchedAt(name) !== undefined, () =>
      follower.check(),
    );
    return (field.touchedAt(name) ?? NaN) - from;
  }
}

async function isHeld({ api }: Arena, lease: string): Promise<boolean> {
  try {
    const path = `/apis/coordination.k8s.io/v1/namespaces/${home}/leases/${lease}`;
    const { spec } = await api.request<{ spec: { holderIdentity?: string } }>("GET", path);
    return Boolean(spec.holderIdentity);
  } catch (error) {
    if (error instanceof HttpError && error.code === 404) return false;
    throw error;
  }
}
