/** What this operator has to reach: what the bench holds it to, and exits non-zero for. */
import { READ, type Tally, total, writes } from "./auditTail";
import type { Crowd, Pair, Race, Results } from "./results";

type Bound = { kind: "ratio" | "ours"; atMost: number };

/** One line of the outcome. */
export interface Finding {
  what: string;
  unit: string;
  ours: number;
  go: number;
  /** Ours over theirs. */
  ratio: number;
  bound?: Bound;
  missed: boolean;
}

interface Measure<T> {
  what: string;
  unit: string;
  value: (result: T) => number;
  bound?: Bound;
}

const ratio = (atMost: number): Bound => ({ kind: "ratio", atMost });
const ours = (atMost: number): Bound => ({ kind: "ours", atMost });
const sum = (tally: Tally, what: RegExp) =>
  total(Object.fromEntries(Object.entries(tally).filter(([key]) => what.test(key))));
const childWrites = ({ createRequests }: Race) => sum(writes(createRequests), / (deployments|services)/);
const statusWrites = ({ createRequests }: Race) => sum(createRequests, /memcacheds\/status/);

const raceMeasures: Measure<Race>[] = [
  { what: "exec to first reconcile", unit: "ms", value: (r) => r.startMs, bound: ours(1_000) },
  { what: "converge", unit: "ms", value: (r) => r.convergeMs, bound: ratio(0.85) },
  { what: "resize", unit: "ms", value: (r) => r.resizeMs, bound: ratio(1) },
  { what: "CPU", unit: "s", value: (r) => r.cpuS, bound: ratio(1) },
  { what: "CPU of API server and etcd", unit: "s", value: (r) => r.serverCpuS },
  { what: "resident memory", unit: "MiB", value: (r) => r.rssMiB, bound: ratio(1.6) },
  // Ours has two children, the peer one.
  { what: "create: writes of children a resource", unit: "", value: childWrites, bound: ours(2) },
  { what: "create: status writes a resource", unit: "", value: statusWrites, bound: ours(2) },
  { what: "create: reads a resource", unit: "", value: (r) => sum(r.createRequests, READ), bound: ours(0) },
  { what: "resize: writes a resource", unit: "", value: (r) => total(writes(r.resizeRequests)) },
  { what: "idle: writes", unit: "", value: (r) => r.idleWrites, bound: ours(0) },
  { what: "restart: writes", unit: "", value: (r) => r.restartWrites, bound: ours(0) },
  { what: "restart: exec until a new resource is available", unit: "ms", value: (r) => r.restartMs },
];

const crowdMeasures: Measure<Crowd>[] = [
  { what: "a fresh resource in the crowd: first write", unit: "ms", value: (r) => r.touchedMs, bound: ours(2_000) },
];

export interface Section {
  title: string;
  findings: Finding[];
}

export function findings({ races, crowd }: Results): Section[] {
  const { total, failing } = crowd.ours;
  return [
    ...races.map((pair) => ({
      title: `${pair.ours.count.toLocaleString("en")} resources`,
      findings: compare(raceMeasures, pair),
    })),
    { title: `${total} resources, ${failing} of which fail for ever`, findings: compare(crowdMeasures, crowd) },
  ];
}

export const missed = (sections: Section[]): string[] =>
  sections.flatMap(({ title, findings }) =>
    findings.filter(({ missed }) => missed).map(({ what }) => `${title}: ${what}`),
  );

function compare<T>(measures: Measure<T>[], pair: Pair<T>): Finding[] {
  return measures.map(({ what, unit, value, bound }) => {
    const [ours, go] = [value(pair.ours), value(pair.go)];
    const reached = bound?.kind === "ratio" ? ours / go : ours;
    return { ...{ what, unit, ours, go, ratio: ours / go, bound }, missed: bound ? !(reached <= bound.atMost) : false };
  });
}
