/**
 * The processes of a run of Pulumi, its plugins included. Plugins have process groups of their own and outlive an engine
 * that is killed, so they are known by a mark in their environment, which every child inherits.
 */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processIds } from "../../cluster/processIds";

const MARK = "MEMCACHED_OPERATOR_RUN";

/** Milliseconds for a process to end by itself once it is asked to. */
const GRACE_MS = 3000;

/** Milliseconds for it to end once the kernel is told to: what waits for a disk ends no sooner than its read. */
const KILL_MS = 10_000;

/** The mark of what this process runs for `owner`, which is any text without a line break. */
export const markOf = (owner: string): Record<string, string> => ({
  [MARK]: JSON.stringify({ owner, pid: process.pid, started: startOf(process.pid) }),
});

interface Mark {
  owner: string;
  pid: number;
  /** When the process `pid` started, for numbers are given out again. */
  started?: string;
}

/** Ends what this process has started for `owner` and what goes on, and gives how many that were. */
export const endOwn = (owner: string): Promise<number> =>
  end((mark) => mark.owner === owner && mark.pid === process.pid);

/** Ends what was started for `owner` by processes that are gone, and gives how many that were. */
export const endForsaken = (owner: string): Promise<number> =>
  end((mark) => mark.owner === owner && startOf(mark.pid) !== mark.started);

async function end(chosen: (mark: Mark) => boolean): Promise<number> {
  const found = marked(chosen);
  signal(found, "SIGTERM");
  const asked = performance.now();
  // In rounds, for what is about to end may start something yet.
  for (let left = found; left.length > 0; left = marked(chosen)) {
    const waited = performance.now() - asked;
    if (waited > GRACE_MS + KILL_MS)
      throw new Error(`processes of Pulumi do not end, killed or not: ${left.join(", ")}`);
    if (waited > GRACE_MS) signal(left, "SIGKILL");
    await sleep(50);
  }
  return found.length;
}

function marked(chosen: (mark: Mark) => boolean): number[] {
  return processIds().filter((pid) => {
    const mark = read(pid);
    return mark !== undefined && chosen(mark);
  });
}

/** The mark of a process; none for those that are gone or only wait for their parent, whose environment is empty. */
function read(pid: number): Mark | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/environ`, "utf8")
      .split("\0")
      .find((entry) => entry.startsWith(`${MARK}=`));
    return line ? (JSON.parse(line.slice(MARK.length + 1)) as Mark) : undefined;
  } catch {
    return undefined;
  }
}

/** When a process started, in the kernel's ticks; undefined when there is none. */
function startOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19];
  } catch {
    return undefined;
  }
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended.
    }
}
