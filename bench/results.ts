/** What a run of the bench has measured. */
import type { Tally } from "./auditTail";

/** One contender, once over the course. CPU and requests hold what a phase caused, its stragglers included. */
export interface Race {
  count: number;
  /** From exec to the first write. */
  startMs: number;
  /** Until every resource has its Deployment and says it is available. */
  convergeMs: number;
  /** Until every Deployment has the new size, and the resource says it is available for its generation (where it names one). */
  resizeMs: number;
  /** Of the contender, from the first resource created to the last one resized. */
  cpuS: number;
  /** What the API server and etcd spent meanwhile, the harness's own requests included. */
  serverCpuS: number;
  rssMiB: number;
  /** Requests a resource. */
  createRequests: Tally;
  resizeRequests: Tally;
  idleWrites: number;
  /** From exec of the second process until a resource made in between is available. */
  restartMs: number;
  /** Writes to the resources that were fine. */
  restartWrites: number;
}

/** Fresh resources among many, some of which fail for ever. */
export interface Crowd {
  total: number;
  failing: number;
  /** From creation to the first write, the slowest of those tried. */
  touchedMs: number;
}

/** A measurement of both, one after the other. */
export interface Pair<T> {
  ours: T;
  go: T;
}

export interface Results {
  races: Pair<Race>[];
  crowd: Pair<Crowd>;
}
