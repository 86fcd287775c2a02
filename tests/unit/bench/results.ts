import type { Crowd, Race, Results } from "../../../bench/results";

/** A race in which everything is as it should be, but for what is given. */
export function raceOf(given: Partial<Race> = {}): Race {
  return {
    ...{ count: 1000, startMs: 400, createMs: 3000, convergeMs: 8000, resizeMs: 6000, resizeReportedMs: 6100 },
    ...{ cpuCreateS: 2, cpuResizeS: 1, serverCpuCreateS: 12, serverCpuResizeS: 10, rssMiB: 80, peakMiB: 90 },
    createRequests: { "patch deployments": 1, "patch services": 1, "patch memcacheds/status": 2 },
    resizeRequests: { "patch deployments": 1, "patch memcacheds/status": 2 },
    ...{ idleS: 20, idleRequests: 0, idleWrites: 0, idleCpuS: 0.1 },
    ...{ restartMs: 700, restartWrites: 0, restartCpuS: 1, restartRssMiB: 75 },
    ...given,
  };
}

export const crowdOf = (touchedMs: number): Crowd => ({
  total: 2000,
  failing: 200,
  touchedMs,
  settledMs: touchedMs + 50,
});

export function resultsOf(given: Partial<Results> = {}): Results {
  return { date: "2026-01-02", machine: "2 cores", workers: 16, races: [], crowds: [], takeovers: [], ...given };
}
