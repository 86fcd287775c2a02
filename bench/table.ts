/** The outcome as tables in Markdown. */
import type { Finding, Section } from "./bounds";

/** A table; cells may hold anything but line breaks. `align` has `---` or `---:` for each column. */
export function markdownTable(
  head: readonly string[],
  rows: readonly string[][],
  align = head.map(() => "---"),
): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(align), ...rows.map(line)].join("\n");
}

export function numberText(value: number, unit = ""): string {
  if (!Number.isFinite(value)) return "–";
  const [shown, name] = unit === "ms" && value >= 10_000 ? [value / 1000, "s"] : [value, unit];
  const digits = name === "s" ? (shown < 1 ? 2 : 1) : Number.isInteger(shown) || Math.abs(shown) >= 20 ? 0 : 2;
  return `${shown.toFixed(digits)}${name ? ` ${name}` : ""}`;
}

function row({ what, unit, ours, go, ratio, bound, missed }: Finding): string[] {
  const limit = bound && (bound.kind === "ratio" ? `ratio ${bound.atMost}` : numberText(bound.atMost, unit));
  const verdict = bound ? `≤ ${limit} ${missed ? "MISSED" : "met"}` : "";
  return [what, numberText(ours, unit), numberText(go, unit), Number.isFinite(ratio) ? ratio.toFixed(2) : "–", verdict];
}

export function sectionTable({ title, findings }: Section): string {
  const head = [title, "this operator", "controller-runtime", "ratio", "bound"];
  return markdownTable(head, findings.map(row), ["---", "---:", "---:", "---:", "---"]);
}
