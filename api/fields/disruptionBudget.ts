import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import type { Rule } from "../rule";
import { type Servers, servers, serversRule } from "../servers";

export const properties = {
  disruptionBudget: Type.Optional(
    Type.Object(
      {
        maxUnavailable: Type.Optional(
          servers(
            "Servers that may be away at a time when nodes are drained: a whole number, 0 to 100, or a percentage of size, rounded up. 100% lets all go at once, as if there were no budget; 0 lets no node with a server be drained.",
            1,
          ),
        ),
        minAvailable: Type.Optional(
          servers(
            "Servers that must stay when nodes are drained: a whole number, 0 to 100, or a percentage of size, rounded up. With as many as size no node with a server can be drained.",
            2,
          ),
        ),
      },
      {
        description:
          "How many servers a drain of nodes may take at a time: a PodDisruptionBudget with the resource's name. Left out, from size 2 on, maxUnavailable 1, unless another PodDisruptionBudget of the namespace selects the servers.",
      },
    ),
  ),
};

type Budget = NonNullable<DefaultedSpec["disruptionBudget"]>;

/** The budget that the spec asks for; undefined where it leaves it out and there is nothing to be kept. */
export function effectiveBudget({
  size,
  disruptionBudget,
}: Pick<DefaultedSpec, "size" | "disruptionBudget">): Budget | undefined {
  return disruptionBudget ?? (size >= 2 ? { maxUnavailable: 1 } : undefined);
}

const isGiven = (amount: Servers | undefined): boolean => amount !== undefined;

export const rules: Rule[] = [
  serversRule("spec.disruptionBudget", "maxUnavailable", "minAvailable"),
  {
    path: "spec.disruptionBudget",
    cel: "has(self.maxUnavailable) != has(self.minAvailable)",
    message:
      "spec.disruptionBudget must hold either maxUnavailable or minAvailable: set one of them, or leave spec.disruptionBudget out",
    predicate: ({ maxUnavailable, minAvailable }: Budget) => isGiven(maxUnavailable) !== isGiven(minAvailable),
  },
];
