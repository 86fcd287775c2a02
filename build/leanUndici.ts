import type { Plugin } from "esbuild";

/** What the operator uses of undici, and the modules that hold it. */
const parts: Record<string, string> = {
  Pool: "undici/lib/dispatcher/pool.js",
  buildConnector: "undici/lib/core/connect.js",
};

/** Bundles these parts of undici alone: all of it costs every operator 6 MiB of memory, for clients that it never makes. */
export const leanUndici: Plugin = {
  name: "lean-undici",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: "undici", namespace: "lean-undici" }));
    onLoad({ filter: /.*/, namespace: "lean-undici" }, () => ({
      contents: Object.entries(parts)
        .map(([name, module]) => `exports.${name} = require(${JSON.stringify(module)});`)
        .join("\n"),
      resolveDir: __dirname,
    }));
  },
};
