/** What this operator has to reach: what the bench holds it to, and exits non-zero for. */
import { type Tally, total, writes } from "./auditTail";
import { type Crowd, type Pair, type Race, type Results, type Takeover, median } from "./results";

/** One line of the outcome. */
export interface Finding {
  what: string;
  unit: string;
  ours: number;
  go: number;
  /** Ours over theirs: the median of the ratios of each pair, since only what ran side by side compares. */
  ratio: number;
  bound?: { kind: "ratio" | "ours"; atMost: number; met: boolean };
}

interface Measure<T> {
  what: string;
  unit: string;
  value: (result: T) => number;
  bound?: { kind: "ratio" | "ours"; atMost: number };
}

const ratio = (atMost: number) => ({ kind: "ratio", atMost }) as const;
const ours = (atMost: number) => ({ kind: "ours", atMost }) as const;
const sum = (tally: Tally, what: RegExp) =>
  Object.entries(tally).reduce((all, [key, requests]) => (what.test(key) ? all + requests : all), 0);
const reads = (tally: Tally) => total(tally) - total(writes(tally));

const raceMeasures: Measure<Race>[] = [
  { what: "exec to first reconcile", unit: "ms", value: (r) => r.startMs, bound: ours(1_000) },
  { what: "converge", unit: "ms", value: (r) => r.convergeMs, bound: ratio(0.85) },
  { what: "of which: creating the resources", unit: "ms", value: (r) => r.createMs },
  { what: "resize", unit: "ms", value: (r) => r.resizeMs, bound: ratio(1) },
  { what: "resize, until the status names the size", unit: "ms", value: (r) => r.resizeReportedMs },
  { what: "CPU, create and resize", unit: "s", value: (r) => r.cpuCreateS + r.cpuResizeS, bound: ratio(1) },
  { what: "of which: create", unit: "s", value: (r) => r.cpuCreateS },
  { what: "CPU of API server and etcd, create", unit: "s", value: (r) => r.serverCpuCreateS },
  { what: "CPU of API server and etcd, resize", unit: "s", value: (r) => r.serverCpuResizeS },
  { what: "resident memory", unit: "MiB", value: (r) => r.rssMiB, bound: ratio(1.6) },
  { what: "resident memory, peak", unit: "MiB", value: (r) => r.peakMiB },
  // Ours has two children, the peer one.
  {
    what: "create: writes of children a resource",
    unit: "",
    value: (r) => sum(writes(r.createRequests), / (deployments|services)/),
    bound: ours(2),
  },
  {
    what: "create: status writes a resource",
    unit: "",
    value: (r) => sum(r.createRequests, /memcacheds\/status/),
    bound: ours(2),
  },
  { what: "create: reads a resource", unit: "", value: (r) => reads(r.createRequests), bound: ours(0) },
  { what: "resize: writes a resource", unit: "", value: (r) => total(writes(r.resizeRequests)) },
  { what: "idle: writes", unit: "", value: (r) => r.idleWrites, bound: ours(0) },
  { what: "idle: CPU a minute", unit: "s", value: (r) => (r.idleCpuS / r.idleS) * 60 },
  { what: "restart: writes", unit: "", value: (r) => r.restartWrites, bound: ours(0) },
  { what: "restart: CPU", unit: "s", value: (r) => r.restartCpuS },
  { what: "restart: exec until a new resource is available", unit: "ms", value: (r) => r.restartMs },
  { what: "restart: resident memory", unit: "MiB", value: (r) => r.restartRssMiB },
];

const crowdMeasures: Measure<Crowd>[] = [
  { what: "a fresh resource in the crowd: first write", unit: "ms", value: (r) => r.touchedMs, bound: ours(2_000) },
  { what: "a fresh resource in the crowd: available", unit: "ms", value: (r) => r.settledMs },
];

const takeoverMeasures: Measure<Takeover>[] = [
  { what: "takeover after SIGTERM", unit: "ms", value: (r) => r.termMs, bound: ours(3_000) },
  { what: "takeover after SIGKILL", unit: "ms", value: (r) => r.killMs, bound: ours(19_000) },
];

export interface Section {
  title: string;
  findings: Finding[];
}

const counts = (results: Results): number[] =>
  [...new Set(results.races.map(({ ours }) => ours.count))].sort((a, b) => a - b);

export function findings(results: Results): Section[] {
  const { races, crowds, takeovers } = results;
  const all = counts(results);
  const of = (count: number) => races.filter(({ ours }) => ours.count === count);
  const sections = all.map((count) => ({
    title: `${count.toLocaleString("en")} resources`,
    findings: compare(raceMeasures, of(count)),
  }));
  const [least = 0, most = 0] = [all[0], all.at(-1)];
  if (all.length > 1)
    sections.push({
      title: `Growth from ${least.toLocaleString("en")} to ${most.toLocaleString("en")}`,
      findings: compare(growthMeasures, growths(of(least), of(most))),
    });
  const crowded = crowds[0]?.ours;
  const title = crowded && `${crowded.total} resources, ${crowded.failing} of which fail for ever`;
  if (title) sections.push({ title, findings: compare(crowdMeasures, crowds) });
  if (takeovers.length > 0)
    sections.push({ title: "Leader and standby", findings: compare(takeoverMeasures, takeovers) });
  return sections;
}

interface Growth {
  few: Race;
  many: Race;
}

/** The smallest and the largest race of each round. */
const growths = (few: Pair<Race>[], many: Pair<Race>[]): Pair<Growth>[] =>
  few.flatMap((pair, round) => {
    const other = many[round];
    return other ? [{ ours: { few: pair.ours, many: other.ours }, go: { few: pair.go, many: other.go } }] : [];
  });

/** 1 is linear. */
const growth =
  (value: (race: Race) => number) =>
  ({ few, many }: Growth) =>
    value(many) / many.count / (value(few) / few.count);

const growthMeasures: Measure<Growth>[] = [
  { what: "time to converge, a resource", unit: "times", value: growth((r) => r.convergeMs), bound: ours(1.3) },
  { what: "CPU, a resource", unit: "times", value: growth((r) => r.cpuCreateS + r.cpuResizeS), bound: ours(1.3) },
  {
    what: "memory for each 1,000 more",
    unit: "MiB",
    value: ({ few, many }) => ((many.rssMiB - few.rssMiB) / (many.count - few.count)) * 1000,
  },
];

export const missed = (sections: Section[]): string[] =>
  sections.flatMap(({ title, findings }) =>
    findings.filter(({ bound }) => bound && !bound.met).map(({ what }) => `${title}: ${what}`),
  );

function compare<T>(measures: Measure<T>[], pairs: Pair<T>[]): Finding[] {
  return measures.map(({ what, unit, value, bound }) => {
    const finding = {
      ...{ what, unit },
      ours: median(pairs.map((pair) => value(pair.ours))),
      go: median(pairs.map((pair) => value(pair.go))),
      ratio: median(pairs.map((pair) => value(pair.ours) / value(pair.go))),
    };
    if (!bound) return finding;
    const reached = bound.kind === "ratio" ? finding.ratio : finding.ours;
    return { ...finding, bound: { ...bound, met: reached <= bound.atMost } };
  });
}
