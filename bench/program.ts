/** The bundled operator, started as its image starts it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defaultMemcachedImage } from "../api";
import { bundleOperator } from "../build/bundleOperator";

export interface Program {
  command: string[];
  env: Record<string, string>;
}

/** Bundles the operator into a folder, and gives how it is started there. */
export async function bundledOperator(folder: string): Promise<Program> {
  await bundleOperator(folder);
  return programOf(readFileSync(join(folder, "Dockerfile"), "utf8"), folder);
}

/** What a Dockerfile starts, and with which variables, on this Node and from the bundle's folder. */
export function programOf(dockerfile: string, folder: string): Program {
  const entrypoint = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1];
  if (!entrypoint) throw new Error("operator/Dockerfile has no ENTRYPOINT in exec form");
  const [, ...args] = JSON.parse(entrypoint) as string[];
  const pairs = dockerfile.matchAll(/^ENV (\w+)="?([^"\n]*?)"?$/gm);
  return {
    command: [process.execPath, ...args.map((arg) => (arg === "/main.js" ? join(folder, "main.js") : arg))],
    env: {
      ...Object.fromEntries(Array.from(pairs, ([, name = "", value = ""]) => [name, value])),
      MEMCACHED_IMAGE: defaultMemcachedImage,
    },
  };
}
