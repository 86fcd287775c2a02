import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted } from "../field";
import type { Rule } from "../rule";

/** Open files of a server's own, which it takes out of the number of connections. */
const ownFiles = { each: 5, beside: 12 };

export const properties = {
  connections: defaulted(
    Type.Integer({
      description: `Simultaneous client connections each server accepts (memcached -c), 32 to 500000. The server opens ${ownFiles.each} files for each thread out of the same number. It needs as many open files: on a node that allows its containers fewer (LimitNOFILE of its container runtime) memcached does not start, and Degraded says so.`,
      format: "int32",
      minimum: 32,
      maximum: 500000,
      examples: [4096],
    }),
    1024,
  ),
  threads: defaulted(
    Type.Integer({
      description:
        "Worker threads of each server (memcached -t), 1 to 128. More than the CPUs it may use gain nothing.",
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
    cel: `self.connections >= ${ownFiles.each} * self.threads + ${ownFiles.beside}`,
    message: `spec.connections must be at least ${ownFiles.each} for each of spec.threads plus ${ownFiles.beside}, or memcached does not start: raise spec.connections or lower spec.threads`,
    predicate: ({ connections, threads }: DefaultedSpec) => connections >= ownFiles.each * threads + ownFiles.beside,
  },
];
