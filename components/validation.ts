import { RunError } from "@pulumi/pulumi";
import { isDeeplyKnown } from "./lift";

/** @throws RunError, which Pulumi shows without a stack, when there is any problem */
export function refuse(kind: string, name: string, problems: string[]): void {
  if (problems.length > 0) throw new RunError(`${kind} "${name}" is refused: ${problems.join("; ")}`);
}

const show = (value: unknown) => JSON.stringify(value) ?? String(value);

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** A namespace's name. A value that is not there yet is the API server's to check. */
export function validateLabel(argument: string, value: unknown): string[] {
  if (value === undefined || !isDeeplyKnown(value) || (typeof value === "string" && dnsLabel.test(value))) return [];
  return [`${argument} is ${show(value)}: give a DNS label, at most 63 lower-case letters, digits and hyphens`];
}

/** What must be true or false now, because it decides which resources there are. */
export function validateFlag(argument: string, value: unknown): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  const got = isDeeplyKnown(value) ? show(value) : "an Output";
  return [`${argument} is ${got}: give true or false, known when the program runs`];
}

export function validateStringMap(argument: string, value: unknown): string[] {
  if (value === undefined || !isDeeplyKnown(value)) return [];
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return [`${argument} is ${show(value)}: give a map of strings`];
  return Object.entries(value)
    .filter(([, v]) => typeof v !== "string")
    .map(([key, v]) => `${argument}["${key}"] is ${show(v)}: give a string, in quotes`);
}

export function validateOneOf(argument: string, value: unknown, allowed: readonly string[]): string[] {
  if (value === undefined || !isDeeplyKnown(value) || allowed.includes(value as string)) return [];
  return [`${argument} is ${show(value)}: give one of ${allowed.map((a) => `"${a}"`).join(", ")}`];
}

export function validateInteger(argument: string, value: unknown, min: number, max: number): string[] {
  if (value === undefined || !isDeeplyKnown(value)) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  return [`${argument} is ${show(value)}: give a whole number from ${min} to ${max}`];
}

/** What other languages, or plain JavaScript, may pass in an object's place. */
export function validateObject(where: string, value: unknown): string[] {
  const object = value !== null && typeof value === "object" && !Array.isArray(value);
  return object ? [] : [`${where} is ${show(value)}: give an object`];
}

/** Arguments that are not ours are misspelt ones. */
export function validateKeys(where: string, value: unknown, allowed: readonly string[]): string[] {
  const wrong = validateObject(where, value);
  if (wrong.length > 0) return wrong;
  const prefix = where === "args" ? "" : `${where}.`;
  return Object.keys(value as object)
    .filter((key) => !allowed.includes(key))
    .map((key) => `${prefix}${key} is no argument: there are ${allowed.join(", ")}`);
}
