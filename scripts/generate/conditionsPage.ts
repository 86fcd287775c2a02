import { type Cell, conditionsTable, placeholders } from "../../operator/memcached/status/conditions";
import { code, table } from "./markdown";
import { notice } from "./yaml";

const cell = ([status, reason, message]: Cell): string => `**${status}** ${code(reason)}<br>${message}`;

/** docs/conditions.md: what the conditions say, and when. */
export function conditionsPage(): string {
  const types = ["Available", "Progressing", "Degraded", "Ready"] as const;
  const rows = conditionsTable.map(({ situation, conditions }) => [
    situation,
    ...types.map((type) => (conditions ? cell(conditions[type]) : "as it was")),
  ]);
  return `<!-- ${notice} -->

# Conditions

What the four conditions of a Memcached say, from the table that the operator itself decides by. The first row that fits
counts. Every condition carries the generation it speaks of in \`observedGeneration\`.

- \`Available\`: as many servers as wanted can be used.
- \`Progressing\`: the operator or Kubernetes is still at work on the last change.
- \`Degraded\`: something stands in the way, and somebody may have to act.
- \`Ready\`: all of it is as asked for. Wait on it: \`kubectl wait --for=condition=Ready memcached/NAME\`.

${table(["Situation", ...types], rows)}

Words in braces are filled in:

${table(
  ["Word", "Meaning"],
  Object.entries(placeholders).map(([word, meaning]) => [code(`{${word}}`), meaning]),
)}
`;
}
