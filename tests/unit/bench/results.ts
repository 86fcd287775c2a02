import type { Race, Results } from "../../../bench/results";

/** A race in which everything is as it should be, but for what is given. */
export function raceOf(given: Partial<Race> = {}): Race {
  return {
    ...{ count: 1000, startMs: 400, convergeMs: 8000, resizeMs: 6000, cpuS: 3, serverCpuS: 22, rssMiB: 80 },
    createRequests: { "patch deployments": 1, "patch services": 1, "patch memcacheds/status": 2 },
    resizeRequests: { "patch deployments": 1, "patch memcacheds/status": 2 },
    ...{ idleWrites: 0, restartMs: 700, restartWrites: 0 },
    ...given,
  };
}

/** A race like `ours` against a peer that is slow, and a crowd in which a fresh resource waited so long. */
export function resultsOf(ours: Race, touchedMs = 1_999): Results {
  const crowd = { total: 2000, failing: 200 };
  const go = raceOf({ convergeMs: 10_000, cpuS: 4, rssMiB: 60 });
  return {
    races: [{ ours, go }],
    crowd: { ours: { ...crowd, touchedMs }, go: { ...crowd, touchedMs: 5_000 } },
  };
}
