import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted } from "../field";
import type { Rule } from "../rule";

/** Files that a server opens for itself. They count as connections. */
const ownFiles = { perThread: 5, base: 12 };

export const properties = {
  connections: defaulted(
    Type.Integer({
      description: `Simultaneous client connections for each server (memcached -c), 32 to 500000. The server's own files, ${ownFiles.perThread} for each thread, count as well. If the node allows its containers fewer open files (LimitNOFILE of the container runtime), memcached does not start, and the condition Degraded says so.`,
      format: "int32",
      minimum: 32,
      maximum: 500000,
      examples: [4096],
    }),
    1024,
  ),
  threads: defaulted(
    Type.Integer({
      description: "Worker threads of each server (memcached -t), 1 to 128. More threads than CPUs are of no use.",
      format: "int32",
      minimum: 1,
      maximum: 128,
      examples: [8],
    }),
    4,
  ),
};

export const rules: Rule[] = [
  {
    path: "spec",
    fieldPath: ".connections",
    cel: `self.connections >= ${ownFiles.perThread} * self.threads + ${ownFiles.base}`,
    message: `spec.connections must be at least ${ownFiles.perThread} for each of spec.threads plus ${ownFiles.base}, or memcached does not answer: raise spec.connections or lower spec.threads`,
    predicate: ({ connections, threads }: DefaultedSpec) => connections >= ownFiles.perThread * threads + ownFiles.base,
  },
];
