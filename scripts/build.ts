/** `npm run build`: the npm package into dist/, the operator's build context in dist/operator/ included. */
import { buildPackage } from "./build/buildPackage";

buildPackage().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
