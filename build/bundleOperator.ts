import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { leanUndici } from "./leanUndici";

const root = join(__dirname, "..");

/** Where `npm run build` puts the operator: the build context of its image. */
export const operatorDir = join(root, "dist", "operator");

/**
 * Writes the operator as one file, `main.js`, beside its `Dockerfile`: a complete build context. The same sources give the same bytes
 * wherever they lie. Rejects with esbuild's messages when the sources do not bundle.
 */
export async function bundleOperator(outdir: string = operatorDir): Promise<void> {
  mkdirSync(outdir, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: ["operator/main.ts"],
    outfile: join(outdir, "main.js"),
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    // What is loaded stays in memory. Names stay, and lines are short: an uncaught error prints the line it came from.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: 160,
    legalComments: "none",
    // Needed only for kubeconfigs with OIDC or another auth provider, and larger than all the rest; imported when it comes to that.
    external: ["@kubernetes/client-node"],
    plugins: [leanUndici],
    // undici's own switch for bundles that leave its second, experimental HTTP parser out.
    define: { esbuildDetection: "true" },
    logLevel: "error",
  });
  copyFileSync(join(root, "operator", "Dockerfile"), join(outdir, "Dockerfile"));
}
