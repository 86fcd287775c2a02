import { readdirSync } from "node:fs";

/** The numbers of all processes that are there now, as the kernel lists them. */
export const processIds = (): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
