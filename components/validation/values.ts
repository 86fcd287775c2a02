import { RunError } from "@pulumi/pulumi";
import { clusterDomainForm, isClusterDomain } from "../../api";
import { isDeeplyKnown } from "../lift";

/** @throws RunError, which Pulumi shows without a stack, when there is any problem */
export function refuse(kind: string, name: string, problems: string[]): void {
  if (problems.length > 0) throw new RunError(`${kind} "${name}" is refused: ${problems.join("; ")}`);
}

/** A value as it stands in a program. */
export function show(value: unknown): string {
  if (!isDeeplyKnown(value)) return "an Output";
  // JSON has no words for NaN and Infinity, and fails at a big integer.
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? `${item}n` : item));
  return text ?? String(value);
}

/** Whether there is nothing to check: left out, or a value that is not there yet and is the API server's to check. */
export const isOpen = (value: unknown) => value === undefined || !isDeeplyKnown(value);

const dnsLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;
const dnsSubdomain = /^(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

/** A namespace's name. */
export function validateLabel(argument: string, value: unknown): string[] {
  if (isOpen(value) || (typeof value === "string" && dnsLabel.test(value))) return [];
  return [`${argument} is ${show(value)}: give a DNS label, at most 63 lower-case letters, digits and hyphens`];
}

/** The domain of a cluster's DNS. */
export function validateClusterDomain(argument: string, value: unknown): string[] {
  if (isOpen(value) || (typeof value === "string" && isClusterDomain(value))) return [];
  return [`${argument} is ${show(value)}: give ${clusterDomainForm}`];
}

/** What must be true or false now, because it decides which resources there are. */
export function validateFlag(argument: string, value: unknown): string[] {
  if (value === undefined || typeof value === "boolean") return [];
  return [`${argument} is ${show(value)}: give true or false, known when the program runs`];
}

/** What may become true or false later. */
export function validateBoolean(argument: string, value: unknown): string[] {
  return isOpen(value) || typeof value === "boolean" ? [] : [`${argument} is ${show(value)}: give true or false`];
}

/** One word or URL: text without white space. */
export function validateWord(argument: string, value: unknown, what: string): string[] {
  if (isOpen(value) || (typeof value === "string" && /^\S+$/.test(value))) return [];
  return [`${argument} is ${show(value)}: give ${what}`];
}

export function validateOneOf(argument: string, value: unknown, allowed: readonly string[]): string[] {
  if (isOpen(value) || allowed.includes(value as string)) return [];
  return [`${argument} is ${show(value)}: give one of ${allowed.map((a) => `"${a}"`).join(", ")}`];
}

export function validateInteger(argument: string, value: unknown, min: number, max: number): string[] {
  if (isOpen(value)) return [];
  if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) return [];
  return [`${argument} is ${show(value)}: give a whole number from ${min} to ${max}`];
}

/** A list whose items `each` checks; `each` gets the item and its place, such as `tolerations[2]`. */
export function validateList(
  argument: string,
  value: unknown,
  of: string,
  each: (where: string, item: unknown) => string[],
): string[] {
  if (isOpen(value)) return [];
  if (!Array.isArray(value)) return [`${argument} is ${show(value)}: give a list of ${of}`];
  return value.flatMap((item, i) => each(`${argument}[${i}]`, item));
}

/** The name of an object such as a Secret. */
export function validateObjectName(argument: string, value: unknown): string[] {
  if (!isOpen(value) && typeof value === "string" && dnsSubdomain.test(value)) return [];
  return value !== undefined && isOpen(value)
    ? []
    : [`${argument} is ${show(value)}: give an object's name, lower-case letters, digits, hyphens and dots`];
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
