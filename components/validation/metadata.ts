import { isDeeplyKnown } from "../lift";
import { isOpen, show } from "./values";

/** A key of labels and annotations: a name of at most 63 characters, with a DNS name and a slash before it or not. */
const key = /^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
const labelValue = /^([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?$/;

/** Annotations: keys as Kubernetes takes them, and strings of any text. */
export function validateAnnotations(argument: string, value: unknown): string[] {
  return validateMap(argument, value, () => undefined);
}

/** Labels, or what selects by them: keys and values as Kubernetes takes them. */
export function validateLabels(argument: string, value: unknown): string[] {
  return validateMap(argument, value, (text) =>
    labelValue.test(text)
      ? undefined
      : `give at most 63 letters, digits, "-", "_" and ".", that start and end with a letter or digit`,
  );
}

function validateMap(argument: string, value: unknown, wrong: (text: string) => string | undefined): string[] {
  if (value === undefined) return [];
  if (isDeeplyKnown(value) && (value === null || typeof value !== "object" || Array.isArray(value)))
    return [`${argument} is ${show(value)}: give a map of strings`];
  // What is known of a map is checked, also when one of its values is not there yet.
  if (isOpen(value) && Object.getPrototypeOf(value) !== Object.prototype) return [];
  return Object.entries(value as object).flatMap(([name, text]) => {
    const at = `${argument}["${name}"]`;
    if (!key.test(name))
      return [`${at}: give a key such as "team" or "example.com/team", its name of at most 63 characters`];
    if (isOpen(text) && text !== undefined) return [];
    if (typeof text !== "string") return [`${at} is ${show(text)}: give a string, in quotes`];
    const remedy = wrong(text);
    return remedy ? [`${at} is ${show(text)}: ${remedy}`] : [];
  });
}
