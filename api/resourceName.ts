import { memcachedName } from "./patterns";
import { celString } from "./rule";

/**
 * The rule for metadata.name, which the Service and the pods are named after. Its predicate takes the name. It applies to
 * new objects only: a name cannot be changed, and existing objects must stay writable.
 */
export const nameRule = {
  path: "",
  fieldPath: ".metadata.name",
  optionalOldSelf: true,
  cel: `oldSelf.hasValue() || self.metadata.name.matches(${celString(memcachedName)})`,
  message:
    "metadata.name must have at most 52 lower-case letters, digits and '-', begin with a letter and end with a letter or digit: choose another name",
  predicate: (name: string): boolean => new RegExp(memcachedName).test(name),
};
