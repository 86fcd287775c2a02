import { PerformanceObserver, constants, type NodeGCPerformanceDetail, type PerformanceEntry } from "node:perf_hooks";
import { getHeapStatistics } from "node:v8";
import type { Logger } from "../types";

/** From here on V8 gives up once its collections bring too little. */
const nearlyFull = 0.8;
/** Told again only after it has been this far from full. */
const wellAgain = 0.7;

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);

/** How much V8 lets the heap of this process grow, in MiB. Beyond it the process is aborted. */
export const heapCeilingMiB = (): number => mebibytes(getHeapStatistics().heap_size_limit);

/**
 * Writes one line, which ends with `advice`, when a full collection leaves the heap nearly full: V8 aborts a process whose heap is full on
 * the spot, and nothing can be written then. Watches for as long as the process lives.
 */
export function watchHeap(log: Logger, advice: string): void {
  let told = false;
  const look = () => {
    const { used_heap_size: used, heap_size_limit: ceiling } = getHeapStatistics();
    if (used < wellAgain * ceiling) told = false;
    if (told || used < nearlyFull * ceiling) return;
    told = true;
    log.warn(
      { usedMiB: mebibytes(used), ceilingMiB: mebibytes(ceiling) },
      `The heap is nearly full, and the process is aborted when it is: ${advice}`,
    );
  };
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isMajor)) look();
  });
  observer.observe({ entryTypes: ["gc"] });
}

function isMajor(entry: PerformanceEntry): boolean {
  return (entry as { detail?: NodeGCPerformanceDetail }).detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
}
