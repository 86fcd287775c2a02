/**
 * `npm run build`: the npm package into dist/, the operator's build context in dist/operator/ included. As npm's own `prepare`, which
 * `npm pack` and `npm install` run, it leaves alone what is up to date.
 */
import { isFresh } from "./build/freshness";
import { buildPackage, lastOfPackage } from "./build/buildPackage";

async function build(): Promise<number> {
  if (process.env.npm_lifecycle_event === "prepare" && isFresh(lastOfPackage)) return 0;
  return buildPackage();
}

build().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
