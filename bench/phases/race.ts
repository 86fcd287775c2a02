import { setTimeout as sleep } from "node:timers/promises";
import type { Arena, Contender } from "../arena";
import { type Tally, total, writes } from "../auditTail";
import { Field } from "../field";
import type { Race } from "../results";
import { cpuOf, processMiB, serverCpuS } from "../usage";

const SIZE = 2;
/** Nothing asked for this long, and a phase has had all its consequences. */
const QUIET_MS = 1_000;
const QUIET_LIMIT_MS = 30_000;
const IDLE_MS = 20_000;

/** One contender over the whole course: start, `count` resources created and resized, idle, restart. */
export async function race(
  { api, audit }: Arena,
  { user, start }: Contender,
  namespace: string,
  count: number,
): Promise<Race> {
  const field = await Field.open(api, namespace);
  const names = Array.from({ length: count }, (_, i) => `cache-${i}`);
  const quiet = () => audit.quiet(user, QUIET_MS, QUIET_LIMIT_MS);
  const since = (mark: number) => perResource(audit.requests(user, mark), count);

  await field.create(["first"], SIZE);
  let running = start();
  try {
    const startMs = (await field.touched("first", running)) - running.startedAt;
    await field.settle("the first resource", ["first"], SIZE, running);
    await quiet();

    const [cpu, serverCpu] = [cpuOf(running.pid), serverCpuS()];
    const createMark = audit.mark();
    const created = performance.now();
    await field.create(names, SIZE);
    await field.settle("create", names, SIZE, running);
    const convergeMs = performance.now() - created;
    await quiet();
    const createRequests = since(createMark);

    const resizeMark = audit.mark();
    const resized = performance.now();
    await field.resize(names, SIZE + 1);
    await field.settle("resize", names, SIZE + 1, running);
    const resizeMs = performance.now() - resized;
    await quiet();
    const resizeRequests = since(resizeMark);
    const used = { cpuS: cpuOf(running.pid) - cpu, serverCpuS: serverCpuS() - serverCpu };
    const rssMiB = processMiB(running.pid, "VmRSS");

    const idleMark = audit.mark();
    await sleep(IDLE_MS);
    const idleWrites = total(writes(audit.requests(user, idleMark)));

    await running.stop();
    await field.create(["last"], SIZE);
    const restartMark = audit.mark();
    running = start();
    await field.settle("the resource made before the restart", ["last"], SIZE, running);
    const restartMs = performance.now() - running.startedAt;
    await quiet();
    const restartWrites = total(writes(audit.requests(user, restartMark, "last")));
    return {
      ...{ count, startMs, convergeMs, resizeMs, ...used, rssMiB },
      ...{ createRequests, resizeRequests, idleWrites, restartMs, restartWrites },
    };
  } finally {
    await running.stop("SIGKILL");
    await field.close();
  }
}

function perResource(tally: Tally, count: number): Tally {
  return Object.fromEntries(Object.entries(tally).map(([what, requests]) => [what, requests / count]));
}
