/** The kernel's USER_HZ, which is 100 wherever Node runs on Linux. */
const TICKS_PER_SECOND = 100;

/** CPU seconds, user and system, in the text of a process's /proc/PID/stat. */
export function cpuSeconds(stat: string): number {
  // The program's name, in brackets, may hold anything.
  const fields = stat.replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
