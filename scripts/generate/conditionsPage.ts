import { type Cell, conditionsTable, placeholders } from "../../operator/memcached/status/conditionsTable";
import { code, markdownTable as table } from "../../bench/table";
import { notice } from "./yaml";

const cell = ([status, reason, message]: Cell): string => `**${status}** ${code(reason)}<br>${message}`;

/** docs/conditions.md: what the conditions say, and when. */
export function conditionsPage(): string {
  const types = ["Available", "Progressing", "Degraded", "Ready"] as const;
  const rows = conditionsTable.map(({ description, conditions }) => [
    description,
    ...types.map((type) => (conditions ? cell(conditions[type]) : "as it was")),
  ]);
  return `<!-- ${notice} -->

# Conditions

What the four conditions of a Memcached say, from the table that the operator itself decides by. The first row that fits
counts. Every condition carries the generation it speaks of in \`observedGeneration\`.

- \`Available\`: as many servers as wanted can be used.
- \`Progressing\`: the operator or Kubernetes is still at work on the last change.
- \`Degraded\`: something stands in the way, and somebody may have to act. So it is, too, when a change comes no further for 10
  minutes: no pod was made, and none became ready.
- \`Ready\`: all of it is as asked for; a Service of type LoadBalancer has its address, too. Wait on it: \`kubectl wait --for=condition=Ready memcached/NAME\`.

Until the operator has looked at a new Memcached, the CRD's default of \`status\` stands for it: \`Available\` and \`Ready\` are Unknown, \`observedGeneration\` is 0.
So nobody takes it for ready, kstatus (Flux, kpt, …) calls it InProgress, and \`kubectl get -o wide\` says that the operator has not processed it yet.

${table(["Situation", ...types], rows)}

Words in braces are filled in:

${table(
  ["Word", "Meaning"],
  Object.entries(placeholders).map(([word, meaning]) => [code(`{${word}}`), meaning]),
)}

## Events

\`kubectl describe memcached NAME\` shows them. A new reason for \`Degraded\` is a Warning, and so is that no node has room for a pod, or that a
person has paused the rollout. Normal ones tell what was done to a child: \`SuccessfulCreate\`, \`Adopted\` (a restore had left it without an owner), \`Scaled\`, \`Updated\` (with
the reason where an upgrade of the operator replaces pods), \`Restored\` (someone had changed what the operator decides; what an admission policy makes of it is no such change) and
\`SuccessfulDelete\`. Each costs the API server a write, so that most are left out when much changes at once: there are 20, and
then one a second; of one Memcached 15, and then one in 10 minutes.
`;
}
