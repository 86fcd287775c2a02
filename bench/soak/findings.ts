/** What a soak has found, line by line, each with the bound it must keep. */
import type { Tally } from "../auditTail";
import type { Trend } from "./memory";
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
  refused: number;
  /** The resource that was written to most, measured by its causes. */
  busiest?: { id: string; writes: number; causes: number };
  quietS: number;
  quietWrites: number;
  quietReads: number;
  trend?: Trend;
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
const SLOPE_MIB = 4;
/** Below this a slope is noise of the garbage collector. */
const SLOPE_LEAST_S = 60;
const PEAK_MIB = 256;

export function findings(outcome: Outcome): Finding[] {
  const { causes, writes, requests, happened, starts, busiest, trend } = outcome;
  const sum = (pattern: RegExp) =>
    Object.entries(requests).reduce((all, [what, count]) => (pattern.test(what) ? all + count : all), 0);
  const restarts = happened.filter(({ what }) => what.startsWith("API server")).length;
  const watches = sum(/^(watch|list) /);
  const watchesAllowed = 2 * WATCHES_A_START * starts + WATCHES_A_RESTART * restarts;
  const gets = sum(/^get /);
  const edits = outcome.edits.reduce((all, [, count]) => all + count, 0);
  return [
    told("edits", `${count(edits)} (${outcome.edits.map(([kind, n]) => `${kind} ${n}`).join(", ")})`),
    ...happenings(happened),
    held(
      "every resource right after the last edit",
      outcome.convergedMs === undefined ? "never" : `${seconds(outcome.convergedMs)}`,
      `≤ ${CONVERGED_S} s`,
      (outcome.convergedMs ?? Infinity) <= CONVERGED_S * 1000,
    ),
    told(
      "the operators' requests",
      Object.entries(requests)
        .sort(([, a], [, b]) => b - a)
        .map(([what, n]) => `${what} ${n}`)
        .join(", "),
    ),
    held(
      "writes for each cause",
      `${count(writes)} for ${count(causes)}: ${(writes / causes).toFixed(2)}`,
      `≤ ${WRITES_A_CAUSE}`,
      writes <= WRITES_A_CAUSE * causes,
    ),
    told("of which refused", count(outcome.refused)),
    ...(busiest
      ? [
          held(
            "writes for the busiest resource",
            `${busiest.writes} for ${busiest.causes} (${busiest.id})`,
            `≤ ${allowedOf(busiest.causes, happened.length)}`,
            busiest.writes <= allowedOf(busiest.causes, happened.length),
          ),
        ]
      : []),
    held("reads of single objects", count(gets), `≤ ${count(READS_A_CAUSE * causes)}`, gets <= READS_A_CAUSE * causes),
    held("watches opened", count(watches), `≤ ${count(watchesAllowed)}`, watches <= watchesAllowed),
    held(
      `writes in ${outcome.quietS} s of quiet, lease apart`,
      count(outcome.quietWrites),
      "0",
      outcome.quietWrites === 0,
    ),
    held(
      `reads in ${outcome.quietS} s of quiet, watches apart`,
      count(outcome.quietReads),
      "0",
      outcome.quietReads === 0,
    ),
    ...memory(trend),
    held("what else went wrong", count(outcome.wrong.length), "0", outcome.wrong.length === 0),
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
      `${times.length} times${longest > 0 ? `, at most ${seconds(longest)} until it was made up for` : ""}`,
    );
  });
}

function memory(trend: Trend | undefined): Finding[] {
  if (!trend) return [told("memory", "no replica has lived long enough")];
  const { overS, slope, medianMiB, peakMiB } = trend;
  const text = `${slope.toFixed(2)} MiB a minute over ${overS.toFixed(0)} s, median ${medianMiB.toFixed(0)} MiB`;
  return [
    overS < SLOPE_LEAST_S
      ? told("memory, trend", `${text}: too short to judge`)
      : held("memory, trend", text, `≤ ${SLOPE_MIB} MiB a minute`, slope <= SLOPE_MIB),
    held("memory, peak", `${peakMiB.toFixed(0)} MiB`, `≤ ${PEAK_MIB} MiB`, peakMiB <= PEAK_MIB),
  ];
}

const told = (what: string, value: string): Finding => ({ what, value, met: true });
const held = (what: string, value: string, bound: string, met: boolean): Finding => ({ what, value, bound, met });
const count = (value: number): string => value.toLocaleString("en");
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function table(all: Finding[]): string {
  const width = Math.max(...all.map(({ what }) => what.length));
  return all
    .map(
      ({ what, value, bound, met }) =>
        `${what.padEnd(width)}  ${value}${bound ? `  (${bound}: ${met ? "met" : "MISSED"})` : ""}`,
    )
    .join("\n");
}
