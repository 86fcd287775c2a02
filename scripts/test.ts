/**
 * `npm test [-- SUITE …]`: proves the repository. Without arguments all of it: formatting, lint rules, types, generated
 * files, then the suites unit, integration (a real API server), soak (two minutes of trouble), pulumi (the real engine)
 * and e2e (real pods).
 * The last line counts them all.
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

interface Counts {
  passed: number;
  failed: number;
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
  const total: Counts = { passed: 0, failed: 0 };
  // The first build of the tools takes minutes: what needs none of them runs meanwhile.
  const tools = ensureTools([...new Set(wanted.flatMap((name) => suites[name] ?? []))]);
  tools.catch(() => undefined);
  for (const name of wanted) {
    if (suites[name]?.length) await tools;
    say(`\n== ${name}`);
    const from = performance.now();
    const counts = checks[name] ? await check(checks[name]) : await suite(name);
    total.passed += counts.passed;
    total.failed += counts.failed;
    say(`== ${name}: ${counts.passed} passed, ${counts.failed} failed, ${seconds(performance.now() - from)}`);
  }
  say(`\nall of it took ${seconds(performance.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
});

async function check(command: string[]): Promise<Counts> {
  return (await run(command)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

/** A suite that ends without its counts, or with another code than they say, has failed as a whole. */
async function suite(name: string): Promise<Counts> {
  const dir = mkdtempSync(join(tmpdir(), "counts-"));
  const file = join(dir, "counts.json");
  try {
    const reporter = ["--reporter", "./tests/support/reporter.ts"];
    const code = await run(["mocha", "--forbid-pending", ...reporter, `tests/${name}/**/*.test.ts`], {
      COUNTS_FILE: file,
    });
    if (!existsSync(file)) return { passed: 0, failed: 1 };
    const stats = JSON.parse(readFileSync(file, "utf8")) as { passes: number; failures: number };
    return { passed: stats.passes, failed: Math.max(stats.failures, code === 0 ? 0 : 1) };
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
