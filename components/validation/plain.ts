import { isKnown } from "../lift";

/**
 * The errors of values that no resource can have: null, which the engine would silently drop, and numbers that JSON cannot
 * represent. Unknown values are skipped.
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
