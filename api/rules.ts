import type { SpecRule } from "./defaults";
import { deprecatedSizeBounds, itemSizeBounds, memoryBounds, ownFiles } from "./bounds";
import { extraArgsRules } from "./extraArgs";
import { imageReference } from "./imageReference";
import { placementRules } from "./placementRules";
import { plainSize, sizeNano } from "./plainSize";
import { podRules } from "./podRules";
import { parseQuantity, quantityNano } from "./quantity";
import { resourceRules } from "./resourceRules";
import { rolloutRules } from "./rollout";
import { celString } from "./rule";

interface SizeBounds {
  min: string;
  max: string;
  step: string;
}

/** CEL: the size at self is plain, between the bounds, and a whole number of steps. */
function wholeSteps({ min, max, step }: SizeBounds): string {
  const bytes = parseQuantity(step);
  return [
    `self.matches('${plainSize}')`,
    `quantity(self).compareTo(quantity('${min}')) >= 0`,
    `quantity(self).compareTo(quantity('${max}')) <= 0`,
    `quantity(self).sub(int(quantity(self).asApproximateFloat() / ${bytes}.0 + 0.5) * ${bytes}).compareTo(quantity('0')) == 0`,
  ].join(" && ");
}

/** The same as wholeSteps in TypeScript. */
function isWholeSteps(text: string, { min, max, step }: SizeBounds): boolean {
  const value = sizeNano(text);
  if (value === undefined || value < quantityNano(min)! || value > quantityNano(max)!) return false;
  return value % quantityNano(step)! === 0n;
}

const secretName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/** Every rule of spec. Those about memcached's own start-up follow what memcached 1.6 checks before it listens. */
export const rules: SpecRule[] = [
  {
    path: "spec.image",
    cel: `self.matches(${celString(imageReference)})`,
    message:
      "spec.image must be an image reference, of which only the registry's name and the tag may have capitals, with a digest of full length if any: write it like docker.io/library/memcached:1.6.45",
    predicate: ({ image }) => image === undefined || new RegExp(imageReference).test(image),
  },
  {
    path: "spec.imagePullSecrets[].name",
    cel: `self.matches(${celString(secretName)})`,
    message:
      "spec.imagePullSecrets[].name must be the name of a Secret: lower-case letters, digits, '-' and '.', with a letter or digit at both ends",
    predicate: ({ imagePullSecrets }) =>
      (imagePullSecrets ?? []).every(({ name }) => new RegExp(secretName).test(name)),
  },
  {
    path: "spec.memory",
    cel: wholeSteps(memoryBounds),
    message: `spec.memory must be a whole number of mebibytes from ${memoryBounds.min} to ${memoryBounds.max}: write it like 64Mi or 1.5Gi`,
    predicate: ({ memory }) => isWholeSteps(memory, memoryBounds),
  },
  {
    path: "spec.maxItemSize",
    cel: wholeSteps(itemSizeBounds),
    message: `spec.maxItemSize must be a multiple of ${itemSizeBounds.step} from ${itemSizeBounds.min} to ${itemSizeBounds.max}, or memcached does not start: write it like 512Ki, 1Mi or 1.5Mi`,
    predicate: ({ maxItemSize }) => isWholeSteps(maxItemSize, itemSizeBounds),
  },
  {
    path: "spec",
    fieldPath: ".maxItemSize",
    cel: [
      `!self.maxItemSize.matches('${plainSize}') || !self.memory.matches('${plainSize}')`,
      "quantity(self.maxItemSize).add(quantity(self.maxItemSize)).compareTo(quantity(self.memory)) <= 0",
    ].join(" || "),
    message:
      "spec.maxItemSize must be at most half of spec.memory, or memcached does not start: lower spec.maxItemSize or raise spec.memory",
    predicate: ({ maxItemSize, memory }) => {
      const [item, all] = [sizeNano(maxItemSize), sizeNano(memory)];
      return item === undefined || all === undefined || item * 2n <= all;
    },
  },
  {
    path: "spec",
    fieldPath: ".connections",
    cel: `self.connections >= ${ownFiles.each} * self.threads + ${ownFiles.beside}`,
    message: `spec.connections must be at least ${ownFiles.each} for each of spec.threads plus ${ownFiles.beside}, or memcached does not start: raise spec.connections or lower spec.threads`,
    predicate: ({ connections, threads }) => connections >= ownFiles.each * threads + ownFiles.beside,
  },
  ...extraArgsRules,
  ...resourceRules,
  ...rolloutRules,
  ...podRules,
  ...placementRules,
];

const resourceName = "^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$";

/**
 * The rule on metadata.name; Services and pods are named after it. Its predicate takes the name. It holds for new
 * objects: a name cannot be changed, and an object that is already there must stay writable.
 */
export const nameRule = {
  path: "",
  fieldPath: ".metadata.name",
  optionalOldSelf: true,
  cel: `oldSelf.hasValue() || self.metadata.name.matches(${celString(resourceName)})`,
  message:
    "metadata.name must be at most 52 lower-case letters, digits and '-', begin with a letter and end with a letter or digit: choose another name",
  predicate: (name: string): boolean => new RegExp(resourceName).test(name),
};

const { min, max } = deprecatedSizeBounds;
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
  message: `spec.size must be ${min} to ${max} in v1alpha1: use apiVersion cache.example.com/v1 for 0 to 100`,
  predicate: (size: number, old?: number): boolean => isFew(size) || (old !== undefined && !isFew(old)),
};
