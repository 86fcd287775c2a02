import { requireRoot } from "../cluster/cluster";
import { ensureTools } from "../cluster/toolCache";
import { say, seconds } from "../cluster/report";
import { command, UsageError } from "../cluster/cli/commandLine";
import { together, type Outcome } from "./suites/outcome";
import { lanes, runSuite, toolsOf } from "./suites/suites";

const names = lanes.flat();
const usage = `npm test [-- ${names.join(" | ")} …]`;
const about = `Proves the repository. Without arguments all of it: formatting, lint rules, types, generated files, then the suites unit,
integration (a real API server), soak (two minutes of trouble), package (what npm carries), pulumi (the real engine) and e2e (real
pods), side by side where they may. What failed is named once more at the end, with its reason; the last line counts them all.`;

command({ usage, about, takes: names.length }, async (_, ...asked) => {
  const unknown = asked.find((name) => !names.includes(name));
  if (unknown) throw new UsageError(`there is no suite "${unknown}"`);
  const wanted = asked.length > 0 ? asked : names;
  if (wanted.includes("e2e")) requireRoot();
  const started = performance.now();
  // The first build of the tools takes minutes: what needs none of them runs meanwhile.
  const tools = ensureTools([...new Set(wanted.flatMap(toolsOf))]);
  tools.catch(() => undefined);
  const running = lanes.map((lane) => lane.filter((name) => wanted.includes(name))).filter((lane) => lane.length > 0);
  const total = (await Promise.all(running.map((lane) => runLane(lane, tools, wanted.length > 1)))).reduce(together);
  for (const text of total.reasons) console.log(`\nFAILED ${text}`);
  console.log(`\nall of it took ${seconds(performance.now() - started)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
});

/** One after the other, to the last of them whatever fails. */
async function runLane(lane: readonly string[], tools: Promise<unknown>, prefixed: boolean): Promise<Outcome> {
  const width = Math.max(...names.map((name) => name.length));
  let total: Outcome = { passed: 0, failed: 0, reasons: [] };
  for (const name of lane) {
    if (toolsOf(name).length > 0) await tools;
    say(`== ${name}`);
    const from = performance.now();
    const outcome = await runSuite(name, prefixed ? `${name.padEnd(width)} |` : undefined);
    say(`== ${name}: ${outcome.passed} passed, ${outcome.failed} failed, ${seconds(performance.now() - from)}`);
    total = together(total, { ...outcome, reasons: outcome.reasons.map((text) => `${name}: ${text}`) });
  }
  return total;
}
