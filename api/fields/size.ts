import { Type } from "@sinclair/typebox";
import { apiVersion, deprecatedVersion } from "../names";

export const properties = {
  size: Type.Optional(
    Type.Integer({
      description:
        "Number of servers, 0 to 100. kubectl scale and a HorizontalPodAutoscaler write this field. If it is left out, the operator fills in the current number, or 1 for a new resource, so removing it from a manifest stops no server.",
      format: "int32",
      minimum: 0,
      maximum: 100,
      examples: [3],
      componentNote:
        "If it is left out, the program does not send it, so that kubectl scale or an autoscaler can own it. If it is given, the program wins.",
    }),
  ),
};

/** The size of a new resource without one. Not a default of the CRD: that would shrink a cache when size is removed. */
export const firstSize = 1;

/** The sizes that v1alpha1 allows. */
const [min, max] = [1, 3];

const few = (value: string): string => `(${value} >= ${min} && ${value} <= ${max})`;
const isFew = (size: number): boolean => size >= min && size <= max;

/**
 * The bounds of size in v1alpha1. They do not apply to an object that got another size through v1, so that autoscalers and
 * kubectl scale can still use v1alpha1.
 */
export const deprecatedSizeRule = {
  path: "spec.size",
  optionalOldSelf: true,
  cel: `${few("self")} || (oldSelf.hasValue() && !${few("oldSelf.value()")})`,
  message: `spec.size must be ${min} to ${max} in ${deprecatedVersion}: use apiVersion ${apiVersion} for 0 to 100`,
  predicate: (size: number, old?: number): boolean => isFew(size) || (old !== undefined && !isFew(old)),
};
