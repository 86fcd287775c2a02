import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { leanUndici } from "./leanUndici";

const root = join(__dirname, "..");

/** Where `npm run build` puts the operator: the build context of its image. */
export const operatorDir = join(root, "dist", "operator");

const common: BuildOptions = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node22",
  format: "cjs",
  // What is loaded stays in memory. Names stay, and lines are short: an uncaught error prints the line it came from.
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: "none",
  logLevel: "error",
};

/**
 * Writes the operator as `main.js`, beside its `Dockerfile`: a complete build context. The libraries that read kubeconfigs are larger than all
 * the rest and lie in a file of their own, `kubeconfig.js`, which a pod never loads. The same sources give the same bytes wherever they lie.
 * Rejects with esbuild's messages when the sources do not bundle.
 */
export async function bundleOperator(outdir: string = operatorDir): Promise<void> {
  mkdirSync(outdir, { recursive: true });
  const main = build({
    ...common,
    entryPoints: ["operator/main.ts"],
    outfile: join(outdir, "main.js"),
    alias: { "@kubernetes/client-node": "./kubeconfig.js", yaml: "./kubeconfig.js" },
    external: ["./kubeconfig.js"],
    plugins: [leanUndici],
  });
  const kubeconfig = build({
    ...common,
    stdin: {
      contents: 'export { KubeConfig } from "@kubernetes/client-node"; export { parse } from "yaml";',
      resolveDir: root,
    },
    outfile: join(outdir, "kubeconfig.js"),
  });
  await Promise.all([main, kubeconfig]);
  copyFileSync(join(root, "operator", "Dockerfile"), join(outdir, "Dockerfile"));
}
