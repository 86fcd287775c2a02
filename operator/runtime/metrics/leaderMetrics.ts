import type { Registry } from "prom-client";
import type { LeaderObserver } from "../leader/leaderElector";
import { families } from "./families";

/** Who leads, under client-go's names. */
export function leaderMetrics(registry: Registry, name: string): LeaderObserver {
  const { counter, gauge } = families(registry);
  const status = gauge("leader_election_master_status", "1 while this replica leads", ["name"]);
  const slow = counter("leader_election_slowpath_total", "Renewals that had to read the lease first", ["name"]);
  status.labels(name).set(0);
  slow.labels(name).inc(0);
  return {
    leading: (isLeader) => status.labels(name).set(isLeader ? 1 : 0),
    slowPath: () => slow.labels(name).inc(),
  };
}
