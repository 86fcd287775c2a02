/** A contender's process: started, measured, ended. */
import { Child } from "../cluster/child";
import { cpuOf, processMiB } from "./usage";

export interface Usage {
  /** CPU seconds so far, user and system. */
  cpuS: number;
  rssMiB: number;
  peakMiB: number;
}

export class Running extends Child {
  constructor(command: readonly string[], env: NodeJS.ProcessEnv, log: string) {
    super(command, log, { env });
  }

  usage(): Usage {
    this.check();
    return { cpuS: cpuOf(this.pid), rssMiB: processMiB(this.pid, "VmRSS"), peakMiB: processMiB(this.pid, "VmHWM") };
  }
}
