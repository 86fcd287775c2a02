/**
 * `npm test [-- SUITE …]`: proves the repository. Without arguments all of it: formatting, lint rules, types, generated
 * files, then the suites unit, integration (a real API server), soak (two minutes of trouble), pulumi (the real engine)
 * and e2e (real pods).
 * What failed is named once more at the end, with its reason; the last line counts them all.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requireRoot } from "../cluster/cluster";
import { ensureTools } from "../cluster/toolCache";
import { clusterTools, controlPlaneTools, languageTools, pulumiTools, type ToolName } from "../cluster/toolList";
import { say, seconds } from "../cluster/report";
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";

interface Outcome {
  passed: number;
  failed: number;
  /** What failed and why, for the end of the run: a log's tail is what one sees first, and at times alone. */
  reasons: string[];
}

/** What tests/support/reporter.ts leaves. */
interface Report {
  passes: number;
  failures: number;
  failed: string[];
}

/** Checks that pass or fail as a whole, by their command. */
const checks: Record<string, string[]> = {
  format: ["prettier", "--check", "--log-level=warn", "."],
  lint: ["eslint", "."],
  types: ["tsc", "--noEmit"],
  generated: ["node", "--require", "tsx/cjs", "scripts/generate.ts", "--check"],
};

/** The suites of tests/, and the tools that each needs built. */
const suites: Record<string, readonly ToolName[]> = {
  unit: [],
  integration: controlPlaneTools,
  soak: controlPlaneTools,
  pulumi: [...controlPlaneTools, ...pulumiTools, ...languageTools],
  e2e: [...clusterTools, ...pulumiTools],
};

const USAGE = `usage: npm test [-- ${[...Object.keys(checks), ...Object.keys(suites)].join(" | ")} …]`;

main(async () => {
  const { positionals } = parseCommandLine(USAGE, {});
  const unknown = positionals.find((name) => !(name in checks) && !(name in suites));
  if (unknown) throw usageError(USAGE, `there is no suite "${unknown}"`);
  const wanted = positionals.length > 0 ? positionals : [...Object.keys(checks), ...Object.keys(suites)];
  if (wanted.includes("e2e")) requireRoot();
  const started = performance.now();
  const total: Outcome = { passed: 0, failed: 0, reasons: [] };
  // The first build of the tools takes minutes: what needs none of them runs meanwhile.
  const tools = ensureTools([...new Set(wanted.flatMap((name) => suites[name] ?? []))]);
  tools.catch(() => undefined);
  for (const name of wanted) {
    if (suites[name]?.length) await tools;
    say(`\n== ${name}`);
    const from = performance.now();
    const outcome = checks[name] ? await check(checks[name]) : await suite(name);
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    total.reasons.push(...outcome.reasons.map((text) => `${name}: ${text}`));
    say(`== ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${seconds(performance.now() - from)}`);
  }
  for (const text of total.reasons) say(`\nFAILED ${text}`);
  say(`\nall of it took ${seconds(performance.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
});

async function check(command: string[]): Promise<Outcome> {
  if ((await run(command)) === 0) return { passed: 1, failed: 0, reasons: [] };
  return { passed: 0, failed: 1, reasons: [`"${command.join(" ")}" found what it shows above`] };
}

/** A suite that ends without its counts, or with another code than they say, has failed as a whole. */
async function suite(name: string): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), "counts-"));
  const file = join(dir, "counts.json");
  try {
    const reporter = ["--reporter", "./tests/support/reporter.ts"];
    const code = await run(["mocha", "--forbid-pending", ...reporter, `tests/${name}/**/*.test.ts`], {
      COUNTS_FILE: file,
    });
    if (!existsSync(file)) return { passed: 0, failed: 1, reasons: [`ended with code ${code} before its tests had`] };
    const { passes, failures, failed } = JSON.parse(readFileSync(file, "utf8")) as Report;
    if (code !== 0 && failures === 0) failed.push(`ended with code ${code}, though no test failed`);
    return { passed: passes, failed: Math.max(failures, code === 0 ? 0 : 1), reasons: failed };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function run([command = "", ...args]: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}
