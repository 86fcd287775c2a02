import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { LeaderObserver } from "../leader/leaderElector";

/** Who leads, under client-go's names. */
export function leaderMetrics(registry: Registry, name: string): LeaderObserver {
  const registers = [registry];
  const labelNames = ["name"];
  const help = "1 while this replica leads";
  const status = new Gauge({ name: "leader_election_master_status", help, labelNames, registers });
  const slow = new Counter({
    name: "leader_election_slowpath_total",
    help: "Renewals that had to read the lease first",
    labelNames,
    registers,
  });
  status.labels(name).set(0);
  slow.labels(name).inc(0);
  return {
    leading: (isLeader) => status.labels(name).set(isLeader ? 1 : 0),
    slowPath: () => slow.labels(name).inc(),
  };
}
