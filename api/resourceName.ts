import { memcachedName } from "./patterns";
import { celString } from "./rule";

/**
 * The rule on metadata.name; Services and pods are named after it. Its predicate takes the name. It holds for new
 * objects: a name cannot be changed, and an object that is already there must stay writable.
 */
export const nameRule = {
  path: "",
  fieldPath: ".metadata.name",
  optionalOldSelf: true,
  cel: `oldSelf.hasValue() || self.metadata.name.matches(${celString(memcachedName)})`,
  message:
    "metadata.name must be at most 52 lower-case letters, digits and '-', begin with a letter and end with a letter or digit: choose another name",
  predicate: (name: string): boolean => new RegExp(memcachedName).test(name),
};
