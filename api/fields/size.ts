import { Type } from "@sinclair/typebox";
import { apiVersion, deprecatedVersion } from "../names";

export const properties = {
  size: Type.Optional(
    Type.Integer({
      description:
        "Servers wanted, 0 to 100. kubectl scale and a HorizontalPodAutoscaler write this field. Where it is left out, the operator fills in the number of servers that run, and 1 for a new resource: taking it out of a manifest ends no server.",
      format: "int32",
      minimum: 0,
      maximum: 100,
      examples: [3],
      componentNote:
        "Left out, it is not sent, so that kubectl scale or an autoscaler can own it; given, the program wins.",
    }),
  ),
};

/** The size of a new resource that names none. The CRD has no default for it: one would shrink a cache whose size is taken out. */
export const firstSize = 1;

/** Servers that v1alpha1 allows. */
const [min, max] = [1, 3];

const few = (value: string): string => `(${value} >= ${min} && ${value} <= ${max})`;
const isFew = (size: number): boolean => size >= min && size <= max;

/**
 * The bounds of size in v1alpha1. An object that has been given another size through v1 keeps its freedom, so that
 * autoscalers and kubectl scale that still speak v1alpha1 go on working.
 */
export const deprecatedSizeRule = {
  path: "spec.size",
  optionalOldSelf: true,
  cel: `${few("self")} || (oldSelf.hasValue() && !${few("oldSelf.value()")})`,
  message: `spec.size must be ${min} to ${max} in ${deprecatedVersion}: use apiVersion ${apiVersion} for 0 to 100`,
  predicate: (size: number, old?: number): boolean => isFew(size) || (old !== undefined && !isFew(old)),
};
