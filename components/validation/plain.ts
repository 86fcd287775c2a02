import { isKnown } from "../lift";

/**
 * The places in an argument that hold what no resource can: null, which is no value in Pulumi and is not left out either (an engine would
 * drop it, the API server would take the default, and what the program meant would be lost), and numbers that JSON has no words for. What is not there yet is
 * not looked into.
 */
export function validatePlain(where: string, value: unknown): string[] {
  if (value === null) return [`${where} is null: leave it out, or give it a value`];
  if (typeof value === "bigint") return [`${where} is ${value}n: give it a plain number`];
  if (typeof value === "number" && !Number.isFinite(value)) return [`${where} is ${value}: give it a number`];
  if (typeof value !== "object" || !isKnown(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => validatePlain(place(where, key, Array.isArray(value)), item));
}

function place(where: string, key: string, inList: boolean): string {
  if (inList) return `${where}[${key}]`;
  return /^\w+$/.test(key) ? `${where}.${key}` : `${where}["${key}"]`;
}
