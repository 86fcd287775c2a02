/** The soak: edits and troubles for some minutes, and then what must have come of it. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { say, seconds } from "../../cluster/report";
import { waitFor } from "../../cluster/wait";
import { AuditTail, total, writes } from "../auditTail";
import { userOf } from "../pod";
import { edit, plant } from "./editing";
import { type Outcome, allowedOf } from "./findings";
import { type Ground, HOME, names, prepareGround } from "./ground";
import { inspect } from "./inspect";
import { Kubelet } from "./kubelet";
import { Ledger } from "./ledger";
import { Model } from "./model";
import { Operator } from "./operator";
import { Random } from "../random";
import { type Befallen, troubles } from "./troubles";
import type { World } from "./world";

export interface SoakOptions {
  minutes: number;
  resources: number;
  seed: number;
  /** Folder that keeps the logs of operators and servers. */
  logs?: string;
}

const PROGRESS_MS = 12_000;
const PLANTED_LIMIT_MS = 120_000;
const CONVERGED_LIMIT_MS = 120_000;
/** Progress of a status is written once a second; events follow one after the other. */
const SETTLE_MS = 5_000;
const QUIET_MS = 15_000;
/** A leader that could not renew its lease for 10 s ends, though the server is back by then. */
const OUTAGE_LASTS_MS = 15_000;

/** Runs it and gives what was found. Everything started is ended and removed, also when `stop` aborts, which rejects. */
export async function soak(options: SoakOptions, stop: AbortSignal): Promise<Outcome> {
  say(`soak of ${options.minutes} min with ${options.resources} resources, seed ${options.seed}`);
  const ground = await orAborted(prepareGround(options.logs), stop);
  const run = new Run(options, ground, stop);
  try {
    return await orAborted(run.all(), stop);
  } finally {
    await run.close();
    await ground.close();
  }
}

class Run {
  private readonly model: Model;
  private readonly world: World;
  private readonly ledger = new Ledger();
  private readonly tail: AuditTail;
  private readonly operators: Operator[];
  private readonly befallen: Befallen;
  private readonly random: Random;
  private peakMiB = 0;
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly began = performance.now();

  constructor(
    private readonly options: SoakOptions,
    ground: Ground,
    private readonly stop: AbortSignal,
  ) {
    this.model = new Model(options.resources);
    this.world = { client: ground.client, model: this.model };
    this.random = new Random(options.seed);
    this.tail = new AuditTail(ground.auditLog, userOf(HOME, ""), this.ledger.take);
    const outage = { last: -Infinity, now: false };
    const mayLoseLease = () => outage.now || performance.now() - outage.last < OUTAGE_LASTS_MS;
    const onWrong = (what: string) => void this.model.wrong.push(what);
    this.operators = names.map((name) => new Operator(name, ground, mayLoseLease, onWrong));
    const { ledger, operators } = this;
    this.befallen = { ground, ledger, operators, outage, happened: [], random: this.random.fork() };
  }

  async all(): Promise<Outcome> {
    const { model, world, random } = this;
    new Kubelet(world.client, random.fork(), (error) => model.wrong.push(`kubelet: ${error.message}`)).start();
    for (const operator of this.operators) operator.start();
    this.every(200, () => this.tail.read());
    this.every(1_000, () => this.sample());
    this.every(PROGRESS_MS, () => this.tell());
    const end = performance.now() + this.options.minutes * 60_000;
    await plant(world, random.fork());
    await this.converged("every resource to be right for the first time", PLANTED_LIMIT_MS);
    say(`  ${this.model.caches.length} resources are there and right`);

    const limitMs = Math.ceil(end - performance.now());
    const time = AbortSignal.any([this.stop, AbortSignal.timeout(limitMs)]);
    const editing = edit(world, random.fork(), time);
    const troubling = troubles(this.befallen, limitMs, this.stop).catch(
      (error: Error) => void model.wrong.push(error.message),
    );
    await Promise.all([editing, troubling]);
    this.stop.throwIfAborted();
    say("  edits have stopped");
    const convergedMs = await this.converged("every resource to be right", CONVERGED_LIMIT_MS).catch((error: Error) => {
      model.wrong.push(error.message);
      return undefined;
    });
    return { ...this.outcome(), convergedMs, ...(await this.quiet()), wrong: this.wrong() };
  }

  async close(): Promise<void> {
    this.timers.forEach((timer) => clearInterval(timer));
    await Promise.all(this.operators.map((operator) => operator.stop()));
    this.tail.close();
  }

  /** Milliseconds until nothing is wrong any more. Rejects with what still is, at the limit. */
  private async converged(what: string, limitMs: number): Promise<number> {
    const from = performance.now();
    let wrong: string[] = [];
    try {
      await waitFor(what, { limitMs, everyMs: 500 }, async () => {
        if (this.stop.aborted) return true;
        wrong = await inspect(this.world);
        return wrong.length === 0;
      });
    } catch (error) {
      const more = wrong.length > 10 ? [`and ${wrong.length - 10} more`] : [];
      throw new Error([(error as Error).message, ...wrong.slice(0, 10), ...more].join("\n    "));
    }
    this.stop.throwIfAborted();
    return performance.now() - from;
  }

  private async quiet(): Promise<Pick<Outcome, "quietS" | "quietWrites" | "quietReads">> {
    const { ledger, stop } = this;
    await sleep(SETTLE_MS, undefined, { signal: stop });
    this.tail.read();
    const before = { ...ledger.requests };
    await sleep(QUIET_MS, undefined, { signal: stop });
    this.tail.read();
    const since = Object.entries(ledger.requests).map(([what, count]) => [what, count - (before[what] ?? 0)] as const);
    // A watch ends after some minutes and is opened again.
    const asked = Object.fromEntries(since.filter(([what, count]) => count > 0 && !what.startsWith("watch ")));
    const quietWrites = total(writes(asked));
    if (total(asked) > 0) this.model.wrong.push(`asked for in the time of quiet: ${JSON.stringify(asked)}`);
    return { quietS: QUIET_MS / 1000, quietWrites, quietReads: total(asked) - quietWrites };
  }

  private outcome(): Omit<Outcome, "wrong" | "quietS" | "quietWrites" | "quietReads"> {
    const { model, ledger, befallen, options } = this;
    this.tail.read();
    const most = model.caches
      .map(({ id, causes }) => ({ id, causes, writes: ledger.writesOf.get(id) ?? 0 }))
      .sort((a, b) => b.writes - allowedOf(b.causes, 0) - (a.writes - allowedOf(a.causes, 0)))[0];
    return {
      ...options,
      edits: [...model.edits].sort(([, a], [, b]) => b - a),
      causes: model.causes,
      happened: befallen.happened,
      starts: this.operators.reduce((sum, { starts }) => sum + starts, 0),
      requests: ledger.requests,
      writes: ledger.writes,
      busiest: most!,
      peakMiB: this.peakMiB,
    };
  }

  private wrong(): string[] {
    const strangers = this.ledger.strangers();
    const more = strangers.length > 5 ? [`and ${strangers.length - 5} more writes without the lease`] : [];
    return [...this.model.wrong, ...strangers.slice(0, 5), ...more];
  }

  private sample(): void {
    for (const operator of this.operators) this.peakMiB = Math.max(this.peakMiB, operator.rssMiB() ?? 0);
  }

  private tell(): void {
    const { model, ledger, befallen, operators } = this;
    const last = befallen.happened.at(-1);
    const memory = operators.map((each) => `${each.name} ${each.rssMiB()?.toFixed(0) ?? "–"} MiB`).join(", ");
    say(
      `  ${seconds(performance.now() - this.began)}: ${model.editCount} edits, ${ledger.writes} writes, ${memory}` +
        `${last ? `; last: ${last.what}` : ""}${model.wrong.length > 0 ? `; WRONG: ${model.wrong.length}` : ""}`,
    );
  }

  private every(ms: number, work: () => void): void {
    this.timers.push(setInterval(work, ms));
  }
}

/** Whatever is under way is left where it is: its processes are ended, and their folder removed. */
async function orAborted<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  const aborted = stop.aborted ? Promise.resolve() : once(stop, "abort");
  return Promise.race([work, aborted.then(() => Promise.reject(stop.reason as Error))]);
}
