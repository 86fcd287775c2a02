import { setTimeout as sleep } from "node:timers/promises";
import type { Arena } from "../arena";
import { type Tally, total, writes } from "../auditTail";
import type { Contender } from "../contenders";
import { Field } from "../field";
import type { Race } from "../results";
import { serverCpuS } from "../usage";

const SIZE = 2;
/** Nothing asked for this long, and a phase has had all its consequences. */
const QUIET_MS = 1_000;
const QUIET_LIMIT_MS = 30_000;

/** One contender over the whole course: start, `count` resources created and resized, idle, restart. */
export async function race(
  arena: Arena,
  contender: Contender,
  namespace: string,
  { count, idleS }: { count: number; idleS: number },
): Promise<Race> {
  const { audit } = arena;
  const user = arena.userOf(contender);
  const field = await Field.open(arena.api, namespace);
  const names = Array.from({ length: count }, (_, i) => `cache-${i}`);
  const settledAt = (size: number) => (name: string) => field.settled(name, size);
  const quiet = () => audit.quiet(user, QUIET_MS, QUIET_LIMIT_MS);
  const since = (mark: number) => perResource(audit.requests(user, mark), count);

  await field.create(["first"], SIZE);
  let running = arena.start(contender);
  const check = () => running.check();
  try {
    await field.until("the first resource", ["first"], (name) => field.touchedAt(name) !== undefined, check);
    const startMs = (field.touchedAt("first") ?? NaN) - running.startedAt;
    await field.until("the first resource", ["first"], settledAt(SIZE), check);
    await quiet();

    const fresh = running.usage();
    const freshServerS = serverCpuS();
    const createMark = audit.mark();
    const created = performance.now();
    await field.create(names, SIZE);
    const createMs = performance.now() - created;
    await field.until("create", names, settledAt(SIZE), check);
    const convergeMs = performance.now() - created;
    await quiet();
    const full = running.usage();
    const fullServerS = serverCpuS();
    const createRequests = since(createMark);

    const resizeMark = audit.mark();
    const resized = performance.now();
    await field.resize(names, SIZE + 1);
    await field.until("resize", names, settledAt(SIZE + 1), check);
    const resizeMs = performance.now() - resized;
    await field.until("resize", names, (name) => field.reported(name, SIZE + 1), check);
    const resizeReportedMs = performance.now() - resized;
    await quiet();
    const after = running.usage();
    const afterServerS = serverCpuS();
    const resizeRequests = since(resizeMark);

    const idleMark = audit.mark();
    await sleep(idleS * 1000);
    const idle = audit.requests(user, idleMark);
    const idleUsage = running.usage();

    await running.stop();
    await field.create(["last"], SIZE);
    const restartMark = audit.mark();
    running = arena.start(contender);
    await field.until("the resource made before the restart", ["last"], settledAt(SIZE), check);
    const restartMs = performance.now() - running.startedAt;
    await quiet();
    const restartWrites = total(writes(audit.requests(user, restartMark, "last")));
    return {
      ...{ count, startMs, createMs, convergeMs, resizeMs, resizeReportedMs },
      cpuCreateS: full.cpuS - fresh.cpuS,
      cpuResizeS: after.cpuS - full.cpuS,
      serverCpuCreateS: fullServerS - freshServerS,
      serverCpuResizeS: afterServerS - fullServerS,
      rssMiB: after.rssMiB,
      peakMiB: after.peakMiB,
      ...{ createRequests, resizeRequests },
      ...{ idleS, idleRequests: total(idle), idleWrites: total(writes(idle)), idleCpuS: idleUsage.cpuS - after.cpuS },
      ...{ restartMs, restartWrites, restartCpuS: running.usage().cpuS, restartRssMiB: running.usage().rssMiB },
    };
  } finally {
    await running.stop("SIGKILL");
    await field.close();
  }
}

function perResource(tally: Tally, count: number): Tally {
  return Object.fromEntries(Object.entries(tally).map(([what, requests]) => [what, requests / count]));
}
