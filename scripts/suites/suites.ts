/** What `npm test` is made of: checks, which pass or fail as a whole, and the suites of tests/. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../../cluster/folders";
import { clusterTools, controlPlaneTools, languageTools, pulumiTools, type ToolName } from "../../cluster/toolList";
import type { Outcome } from "./outcome";
import { runPrefixed } from "./prefixed";

/** The checks, by their command. */
const checks: Record<string, string[]> = {
  format: ["prettier", "--check", "--log-level=warn", "."],
  lint: ["eslint", "."],
  types: ["tsc", "--noEmit"],
  generated: ["node", "--require", "tsx/cjs", "scripts/generate.ts", "--check"],
};

/** The suites, and the tools that each needs built. */
const suites: Record<string, readonly ToolName[]> = {
  unit: [],
  integration: [...controlPlaneTools, "kstatus"],
  soak: controlPlaneTools,
  package: pulumiTools,
  pulumi: [...controlPlaneTools, ...pulumiTools, ...languageTools],
  e2e: [...clusterTools, "network-policies", "cert-manager", ...pulumiTools],
};

/**
 * What runs side by side: the suites wait more than they work, and two cores take all lanes at once. Nothing of two
 * lanes meets: each test has a control plane, cluster, namespace, port and folder of its own.
 */
export const lanes: readonly (readonly string[])[] = [
  ["format", "lint", "types", "generated", "unit", "package", "soak"],
  ["pulumi"],
  ["integration"],
  ["e2e"],
];

/** The tools that a check or suite needs. */
export const toolsOf = (name: string): readonly ToolName[] => suites[name] ?? [];

/** Runs one of them; with a prefix for each line when others run beside it. */
export function runSuite(name: string, prefix?: string): Promise<Outcome> {
  return checks[name] ? check(checks[name], prefix) : suite(name, prefix);
}

async function check(command: string[], prefix?: string): Promise<Outcome> {
  if ((await runPrefixed(command, {}, prefix)) === 0) return { passed: 1, failed: 0, reasons: [] };
  return { passed: 0, failed: 1, reasons: [`"${command.join(" ")}" found what it shows above`] };
}

/** A suite that ends without the outcome that its reporter leaves, or with another code than that says, has failed as a whole. */
function suite(name: string, prefix?: string): Promise<Outcome> {
  return inFolder("outcome", async (folder) => {
    const file = join(folder, "outcome.json");
    const flags = ["--forbid-pending", "--reporter", "./tests/support/reporter.ts"];
    const code = await runPrefixed(["mocha", ...flags, `tests/${name}/**/*.test.ts`], { OUTCOME_FILE: file }, prefix);
    if (!existsSync(file)) return { passed: 0, failed: 1, reasons: [`ended with code ${code} before its tests had`] };
    const outcome = JSON.parse(readFileSync(file, "utf8")) as Outcome;
    if (code === 0 || outcome.failed > 0) return outcome;
    return { ...outcome, failed: 1, reasons: [`ended with code ${code}, though no test failed`] };
  });
}
