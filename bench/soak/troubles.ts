/** What befalls the API server and the operators, one after the other. */
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../cluster/wait";
import { userOf } from "../pod";
import { HOME, type Ground } from "./ground";
import type { Ledger } from "./ledger";
import type { Operator } from "./operator";
import type { Random } from "../random";

export interface Befallen {
  ground: Ground;
  ledger: Ledger;
  operators: Operator[];
  /** While the API server is away, and some seconds after, a leader may fail to renew its lease. */
  outage: { last: number; now: boolean };
  happened: Happened[];
  random: Random;
}

export interface Happened {
  what: string;
  /** Milliseconds until another replica led, or until the API server was ready again. */
  tookMs: number;
}

type Trouble = (it: Befallen) => Promise<unknown>;

/** Longer than the lease of 15 s, and than a renewal may be late. */
const PAUSE_MS = 18_000;
const TAKEOVER_LIMIT_MS = 60_000;
const END_LIMIT_MS = 30_000;
const PATIENCE_MS = 3_000;
/** A lease that was written this long ago is held: it is renewed every 2 s. */
const RENEWED_US = 5_000_000;

const killLeader: Trouble = (it) =>
  handover(it, "leader killed (SIGKILL)", async (leader) => {
    leader.signal("SIGKILL");
    await leader.end(END_LIMIT_MS);
  });

const endLeader: Trouble = (it) =>
  handover(it, "leader ended (SIGTERM)", async (leader) => {
    leader.signal("SIGTERM");
    await leader.end(END_LIMIT_MS);
  });

const pauseLeader: Trouble = async (it) => {
  const paused = await handover(it, "leader paused (SIGSTOP)", async (leader) => {
    leader.signal("SIGSTOP");
    await sleep(PAUSE_MS);
  });
  // It wakes up as a leader that another has replaced, with passes half done.
  paused.signal("SIGCONT");
  await paused.end(END_LIMIT_MS);
};

const killStandby: Trouble = async (it) => {
  const leader = await leaderOf(it);
  const standby = it.operators.find((operator) => operator !== leader);
  standby?.signal("SIGKILL");
  await standby?.end(END_LIMIT_MS);
  it.happened.push({ what: "standby killed (SIGKILL)", tookMs: 0 });
};

const restartServer =
  (signal: "SIGKILL" | "SIGTERM"): Trouble =>
  async ({ ground: { controlPlane }, outage, happened }) => {
    const from = performance.now();
    outage.now = true;
    try {
      const ended = controlPlane.kill("kube-apiserver", signal);
      // Ending well it waits for watches, for a minute if need be; whoever runs it loses patience sooner.
      await Promise.race([ended, sleep(PATIENCE_MS)]);
      await controlPlane.kill("kube-apiserver");
      await ended;
      await controlPlane.kill("kube-controller-manager");
      await controlPlane.start("kube-apiserver");
      // As where it elects a leader: it ends when it cannot renew its lease, and is started again.
      await controlPlane.start("kube-controller-manager");
    } finally {
      outage.now = false;
      outage.last = performance.now();
    }
    happened.push({ what: `API server restarted (${signal})`, tookMs: outage.last - from });
  };

const all = [endLeader, killLeader, pauseLeader, restartServer("SIGKILL"), killStandby, restartServer("SIGTERM")];
/** Time for the caches to be filled, and for a replica that was killed to be warm again. */
const REST_MS = 4_000;

/** Lets all of them happen, with rests between them, and then again until `limitMs` have passed. A run of two minutes sees each once. */
export async function troubles(it: Befallen, limitMs: number, stop: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs;
  const restMs = Math.max(REST_MS, Math.min(30_000, limitMs / 20));
  for (let i = 0; i < all.length || performance.now() < end; i++) {
    await sleep(restMs * (0.5 + it.random.next()), undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    await (all[i] ?? it.random.pick(all))(it);
  }
}

/** Whose lease is being renewed. */
function leaderOf({ ledger, operators }: Befallen): Promise<Operator> {
  return waitFor("a leader", { limitMs: TAKEOVER_LIMIT_MS, everyMs: 50 }, () => {
    const { lease } = ledger;
    if (!lease || wallMicros() - lease.at > RENEWED_US) return undefined;
    return operators.find(({ name, pid }) => pid !== undefined && userOf(HOME, name) === lease.user);
  });
}

/** `act` takes the leader away, which is given back. */
async function handover(it: Befallen, what: string, act: (leader: Operator) => Promise<void>): Promise<Operator> {
  const { ledger } = it;
  const leader = await leaderOf(it);
  const before = ledger.holds.length;
  const from = wallMicros();
  await act(leader);
  const away = wallMicros();
  const at = await waitFor(`another leader after: ${what}`, { limitMs: TAKEOVER_LIMIT_MS, everyMs: 50 }, () => {
    if (ledger.holds.length > before) return ledger.holds[before]?.at;
    // Also the one that was the leader may take it, once it has been started again.
    return ledger.lease && ledger.lease.at > away && ledger.lease.at;
  });
  it.happened.push({ what, tookMs: (at - from) / 1000 });
  return leader;
}

const wallMicros = (): number => Date.now() * 1000;
