/** What a run of the bench has measured; also the form of its JSON. */
import type { Tally } from "./auditTail";
import type { Name } from "./contenders";

/** One contender, once over the course. CPU and requests hold what a phase caused, its stragglers included. */
export interface Race {
  count: number;
  /** From exec to the first write. */
  startMs: number;
  /** The creators' own time: no contender can converge sooner. */
  createMs: number;
  /** Until every resource has its Deployment and says it is available. */
  convergeMs: number;
  /** Until every Deployment has the new size, and the resource says it is available for its generation (where it names one). */
  resizeMs: number;
  /** Until the status names the new size, too. */
  resizeReportedMs: number;
  cpuCreateS: number;
  cpuResizeS: number;
  /** What the API server and etcd spent, the harness's own requests included. */
  serverCpuCreateS: number;
  serverCpuResizeS: number;
  rssMiB: number;
  peakMiB: number;
  /** Requests a resource. */
  createRequests: Tally;
  resizeRequests: Tally;
  idleS: number;
  idleRequests: number;
  idleWrites: number;
  idleCpuS: number;
  /** From exec of the second process until a resource made in between is available. */
  restartMs: number;
  /** Writes to the resources that were fine. */
  restartWrites: number;
  restartCpuS: number;
  restartRssMiB: number;
}

/** Fresh resources among many, some of which fail for ever. */
export interface Crowd {
  total: number;
  failing: number;
  /** From creation to the first write, the slowest of those tried. */
  touchedMs: number;
  /** From creation to available, the slowest of those tried. */
  settledMs: number;
}

/** From the signal to the standby's first write. */
export interface Takeover {
  termMs: number;
  killMs: number;
}

/** One measurement of both, one after the other. */
export type Pair<T> = Record<Name, T>;

export interface Results {
  date: string;
  machine: string;
  workers: number;
  races: Pair<Race>[];
  crowds: Pair<Crowd>[];
  takeovers: Pair<Takeover>[];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}
