import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import type { Rule } from "../rule";
import { type Servers, servers, serversRule } from "../servers";

/**
 * What a Deployment does where nothing is said: one server at a time, the new one first. Each server that goes takes its share of the
 * cache with it.
 */
const atFirst = { maxSurge: 1, maxUnavailable: 0 };

export const properties = {
  rollout: Type.Optional(
    Type.Object(
      {
        maxSurge: Type.Optional(
          servers(
            `Servers beside those of size while they are replaced: a whole number, 0 to 100, or a percentage of size, rounded up; ${atFirst.maxSurge} when left out. A new server that finds no place beside the old ones, as on nodes of which each holds one, holds the change up: allow maxUnavailable then. A StatefulSet has none.`,
            0,
          ),
        ),
        maxUnavailable: Type.Optional(
          servers(
            `Servers that may be away while they are replaced, each with its items: a whole number, 0 to 100, or a percentage of size, rounded down; ${atFirst.maxUnavailable} when left out. A StatefulSet, which replaces each server in its place, always has 1.`,
            1,
          ),
        ),
      },
      {
        description:
          "How servers are replaced when a change needs new ones. Left out, one at a time, the new one first.",
      },
    ),
  ),
};

type Rollout = Partial<Record<"maxSurge" | "maxUnavailable", Servers>>;

const zero = "^0%?$";
const one = "^1$";

const isLike = (regexp: string, value: Servers): boolean => new RegExp(regexp).test(String(value));

/** The fields with their defaults, which the API server does not fill in: a StatefulSet has others. */
export const effectiveRollout = (rollout: Rollout = {}): Required<Rollout> => ({
  ...atFirst,
  ...rollout,
});

/** What holds for a StatefulSet, which has no fields of this kind on every Kubernetes that is supported. */
const inPlace = (field: "maxSurge" | "maxUnavailable", only: number, regexp: string): Rule => ({
  path: "spec",
  fieldPath: `.rollout.${field}`,
  cel: `self.workload != 'StatefulSet' || !has(self.rollout) || !has(self.rollout.${field}) || string(self.rollout.${field}).matches('${regexp}')`,
  message: `spec.rollout.${field} must be ${only} when spec.workload is StatefulSet, which replaces its servers one at a time, each in its place: leave it out, or set spec.workload to Deployment`,
  predicate: ({ workload, rollout }: DefaultedSpec) =>
    workload !== "StatefulSet" || rollout?.[field] === undefined || isLike(regexp, rollout[field]),
});

export const rules: Rule[] = [
  serversRule("spec.rollout", "maxSurge"),
  serversRule("spec.rollout", "maxUnavailable"),
  {
    path: "spec.rollout",
    cel: `!(has(self.maxSurge) && string(self.maxSurge).matches('${zero}')) || (has(self.maxUnavailable) && !string(self.maxUnavailable).matches('${zero}'))`,
    message:
      "spec.rollout.maxSurge must not be 0 with a spec.rollout.maxUnavailable of 0, which it is when left out, or no server could be replaced: set spec.rollout.maxUnavailable to 1",
    predicate: (rollout: Rollout) => {
      const { maxSurge, maxUnavailable } = effectiveRollout(rollout);
      return !isLike(zero, maxSurge) || !isLike(zero, maxUnavailable);
    },
  },
  inPlace("maxSurge", 0, zero),
  inPlace("maxUnavailable", 1, one),
];
