/** A memory cgroup, as the kubelet gives a container one: a limit, and what was used of it at most. Making one needs root. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { waitFor } from "../cluster/wait";

const ROOT = "/sys/fs/cgroup";
const isV2 = () => existsSync(join(ROOT, "cgroup.controllers"));
/** The root of the hierarchy that counts memory. */
export const memoryRoot = () => join(ROOT, isV2() ? "" : "memory");

export class MemoryCgroup {
  constructor(private readonly dir: string) {}

  static make(name: string, limitBytes: number): MemoryCgroup {
    const dir = join(memoryRoot(), name);
    mkdirSync(dir);
    if (isV2()) {
      writeFileSync(join(dir, "memory.swap.max"), "0");
      writeFileSync(join(dir, "memory.max"), String(limitBytes));
    } else writeFileSync(join(dir, "memory.limit_in_bytes"), String(limitBytes));
    return new MemoryCgroup(dir);
  }

  /** The command that runs `command` in it. */
  around(command: readonly string[]): string[] {
    return ["sh", "-c", `echo $$ > ${join(this.dir, "cgroup.procs")} && exec "$@"`, "sh", ...command];
  }

  /** The highest mark, in MiB; what the kernel may take back at any time, such as cached files, is in it. */
  peakMiB(): number {
    const file = isV2() ? "memory.peak" : "memory.max_usage_in_bytes";
    return Number(readFileSync(join(this.dir, file), "utf8")) / 2 ** 20;
  }

  /** The first process in it. */
  pid(): number {
    return Number(readFileSync(join(this.dir, "cgroup.procs"), "utf8").split("\n")[0]);
  }

  /** Removes it, once its processes are gone. */
  async remove(): Promise<void> {
    await waitFor(`the cgroup ${this.dir} to be free`, { limitMs: 20_000 }, () => {
      rmdirSync(this.dir);
      return true;
    });
  }
}
