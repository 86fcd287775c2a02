/** The outcome as a table: for the terminal, and as Markdown. */
import type { Finding, Section } from "./bounds";

const HEAD = ["", "this operator", "controller-runtime", "ratio", "bound"];

export function numberText(value: number, unit = ""): string {
  if (!Number.isFinite(value)) return "–";
  const [shown, name] = unit === "ms" && value >= 10_000 ? [value / 1000, "s"] : [value, unit];
  const digits = name === "s" ? (shown < 1 ? 2 : 1) : Number.isInteger(shown) || Math.abs(shown) >= 20 ? 0 : 2;
  return `${shown.toFixed(digits)}${name ? ` ${name}` : ""}`;
}

function row({ what, unit, ours, go, ratio, bound }: Finding): string[] {
  const limit = bound && (bound.kind === "ratio" ? `ratio ${bound.atMost}` : numberText(bound.atMost, unit));
  const verdict = bound ? `≤ ${limit} ${bound.met ? "met" : "MISSED"}` : "";
  return [what, numberText(ours, unit), numberText(go, unit), Number.isFinite(ratio) ? ratio.toFixed(2) : "–", verdict];
}

export function textTable(sections: Section[]): string {
  const rows = sections.map(({ title, findings }) => [[title, ...HEAD.slice(1)], ...findings.map(row)]);
  const widths = HEAD.map((_, i) => Math.max(...rows.flat().map((cells) => cells[i]?.length ?? 0)));
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (i === 0 || i === 4 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return rows.map((section) => section.map(line).join("\n")).join("\n\n");
}

export function markdownTable({ title, findings }: Section): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [
    line([title, ...HEAD.slice(1)]),
    "| --- | ---: | ---: | ---: | --- |",
    ...findings.map((f) => line(row(f))),
  ].join("\n");
}
