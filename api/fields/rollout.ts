import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import type { Rule } from "../rule";
import { type Servers, celIsLike, servers, serversRule } from "../servers";

/** The defaults for a Deployment: one server at a time, the new one first, because each stopped server loses its items. */
const atFirst = { maxSurge: 1, maxUnavailable: 0 };

export const properties = {
  rollout: Type.Optional(
    Type.Object(
      {
        maxSurge: Type.Optional(
          servers(
            `How many servers above size may run during a rollout: a whole number, 0 to 100, or a percentage of size, rounded up. Default: ${atFirst.maxSurge}. If there is no node for an additional server, for example because each node may run only one, set maxUnavailable. Always 0 for a StatefulSet.`,
            0,
          ),
        ),
        maxUnavailable: Type.Optional(
          servers(
            `How many servers, with their items, may be unavailable during a rollout: a whole number, 0 to 100, or a percentage of size, rounded down. Default: ${atFirst.maxUnavailable}. Always 1 for a StatefulSet.`,
            1,
          ),
        ),
      },
      {
        description:
          "How servers are replaced when a change needs new pods. Default: one at a time, the new one first.",
      },
    ),
  ),
};

type Rollout = Partial<Record<"maxSurge" | "maxUnavailable", Servers>>;

const zero = "^0%?$";
const one = "^1$";

const isLike = (regexp: string, value: Servers): boolean => new RegExp(regexp).test(String(value));

/** The fields with their defaults. They are not defaults of the CRD, because a StatefulSet has others. */
export const effectiveRollout = (rollout: Rollout = {}): Required<Rollout> => ({ ...atFirst, ...rollout });

export const rules: Rule[] = [
  serversRule("spec.rollout", "maxSurge", "maxUnavailable"),
  {
    path: "spec.rollout",
    cel: `!(has(self.maxSurge) && string(self.maxSurge).matches('${zero}')) || (has(self.maxUnavailable) && !string(self.maxUnavailable).matches('${zero}'))`,
    message:
      "spec.rollout.maxSurge must not be 0 if spec.rollout.maxUnavailable is 0 (its default), or no server can be replaced: set spec.rollout.maxUnavailable to 1",
    predicate: (rollout: Rollout) => {
      const { maxSurge, maxUnavailable } = effectiveRollout(rollout);
      return !isLike(zero, maxSurge) || !isLike(zero, maxUnavailable);
    },
  },
  {
    path: "spec",
    fieldPath: ".rollout",
    cel: `self.workload != 'StatefulSet' || !has(self.rollout) || (${celIsLike(zero, "self.rollout.maxSurge")} && ${celIsLike(one, "self.rollout.maxUnavailable")})`,
    message:
      "spec.rollout must not change maxSurge from 0 and maxUnavailable from 1 when spec.workload is StatefulSet, which replaces its servers in place, one at a time: leave both out, or set spec.workload to Deployment",
    predicate: ({ workload, rollout: { maxSurge = 0, maxUnavailable = 1 } = {} }: DefaultedSpec) =>
      workload !== "StatefulSet" || (isLike(zero, maxSurge) && isLike(one, maxUnavailable)),
  },
];
