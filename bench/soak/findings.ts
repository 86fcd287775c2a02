/** What a soak has found, line by line, each with the bound it must keep. */
import { type Tally, total } from "../auditTail";
import type { Happened } from "./troubles";

export interface Outcome {
  minutes: number;
  resources: number;
  seed: number;
  /** Edits that the API server took, by kind. */
  edits: [kind: string, count: number][];
  /** Changes that may each make the operator write. */
  causes: number;
  happened: Happened[];
  /** How often an operator was started, by whomever. */
  starts: number;
  /** Milliseconds from the last edit until every resource was right; undefined when that did not come about. */
  convergedMs?: number;
  requests: Tally;
  writes: number;
  /** The resource that was written to most, measured by its causes. */
  busiest: { id: string; writes: number; causes: number };
  quietS: number;
  quietWrites: number;
  quietReads: number;
  /** The most that any replica had resident. */
  peakMiB: number;
  /** Writes of a replica while another held the lease, ends that nobody caused, edits that failed, what is not right in the end. */
  wrong: string[];
}

export interface Finding {
  what: string;
  value: string;
  bound?: string;
  met: boolean;
}

/**
 * An API server that has just started refuses owners of the kind Memcached until its plugin has looked kinds up again, which takes up
 * to 30 s; by then what was refused waits for up to as long again. Seen once: 44 s.
 */
const CONVERGED_S = 90;
/** Writes for each cause: two applies and a status or two for a new resource, and less for anything else. */
const WRITES_A_CAUSE = 4;
/** The same for a single resource: of few causes, each a little dearer, and with what an outage of the server makes repeat. */
const WRITES_A_CAUSE_OF_ONE = 6;
const WRITES_AN_EVENT = 6;
/** Watches: five kinds for each start and for each restart of the API server, some of which it refuses while it starts. */
const WATCHES_A_START = 5;
const WATCHES_A_RESTART = 40;
/** A child that has gone makes the operator ask whether its resource is wanted. */
const READS_A_CAUSE = 1;
const PEAK_MIB = 256;

export function findings(outcome: Outcome): Finding[] {
  const { causes, writes, requests, happened, starts, busiest, quietS } = outcome;
  const sum = (pattern: RegExp) =>
    total(Object.fromEntries(Object.entries(requests).filter(([what]) => pattern.test(what))));
  const listed = (tally: [string, number][]) => tally.map(([what, n]) => `${what} ${n}`).join(", ");
  const restarts = happened.filter(({ what }) => what.startsWith("API server")).length;
  return [
    told("edits", `${count(total(Object.fromEntries(outcome.edits)))} (${listed(outcome.edits)})`),
    ...happenings(happened),
    held("every resource right after the last edit", (outcome.convergedMs ?? Infinity) / 1000, CONVERGED_S, " s"),
    told("the operators' requests", listed(Object.entries(requests).sort(([, a], [, b]) => b - a))),
    held("writes for each cause", writes / causes, WRITES_A_CAUSE),
    held(`writes for the busiest resource (${busiest.id})`, busiest.writes, allowedOf(busiest.causes, happened.length)),
    held("reads of single objects", sum(/^get /), READS_A_CAUSE * causes),
    held("watches opened", sum(/^(watch|list) /), 2 * WATCHES_A_START * starts + WATCHES_A_RESTART * restarts),
    held(`writes in ${quietS} s of quiet, lease apart`, outcome.quietWrites, 0),
    held(`reads in ${quietS} s of quiet, watches apart`, outcome.quietReads, 0),
    held("memory, peak", outcome.peakMiB, PEAK_MIB, " MiB"),
    held("what else went wrong", outcome.wrong.length, 0),
  ];
}

/** The writes that a resource of so many causes may bring about, when so much has befallen operators and server. */
export const allowedOf = (causes: number, events: number): number =>
  WRITES_A_CAUSE_OF_ONE * causes + WRITES_AN_EVENT * events;

function happenings(happened: Happened[]): Finding[] {
  const kinds = [...new Set(happened.map(({ what }) => what))];
  return kinds.map((kind) => {
    const times = happened.filter(({ what }) => what === kind).map(({ tookMs }) => tookMs);
    const longest = Math.max(...times);
    return told(
      kind,
      `${times.length} times${longest > 0 ? `, at most ${(longest / 1000).toFixed(1)} s until it was made up for` : ""}`,
    );
  });
}

const told = (what: string, value: string): Finding => ({ what, value, met: true });
const held = (what: string, value: number, atMost: number, unit = ""): Finding => ({
  ...{ what, value: `${count(value)}${unit}`, bound: `≤ ${count(atMost)}${unit}` },
  met: value <= atMost,
});
const count = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 2 });

export function table(all: Finding[]): string {
  const width = Math.max(...all.map(({ what }) => what.length));
  return all
    .map(
      ({ what, value, bound, met }) =>
        `${what.padEnd(width)}  ${value}${bound ? `  (${bound}: ${met ? "met" : "MISSED"})` : ""}`,
    )
    .join("\n");
}
