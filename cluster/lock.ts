/** One process at a time: a lock file that holds its owner's pid, and is free again when that process is gone. */
import { openSync, closeSync, readFileSync, rmSync, writeSync } from "node:fs";
import { say } from "./report";
import { waitFor } from "./wait";

/** Longest wait for another owner, in milliseconds: the longest build there is. */
const LIMIT_MS = 3_600_000;

/** Runs `work` while holding the lock; waits up to an hour for another owner, which `what` names, and says so. */
export async function withLock<T>(file: string, what: string, work: () => Promise<T>): Promise<T> {
  const timer = setTimeout(() => say(`waiting for ${what} …`), 1000);
  await waitFor(what, { limitMs: LIMIT_MS, everyMs: 500 }, () => take(file)).finally(() => clearTimeout(timer));
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

function take(file: string): boolean {
  try {
    const fd = openSync(file, "wx");
    writeSync(fd, String(process.pid));
    closeSync(fd);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if (!alive(Number(readFileSync(file, "utf8")))) rmSync(file, { force: true });
    return false;
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
