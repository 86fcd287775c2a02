import { output, Output } from "@pulumi/pulumi/output";
import type { Input } from "@pulumi/pulumi";

/** Whether the value is known now: neither a promise nor an Output. */
export function isKnown<T>(value: Input<T>): value is Extract<Input<T>, T> {
  return !Output.isInstance(value) && !(value instanceof Promise);
}

/** Whether the value and everything in it is known now. */
export function isDeeplyKnown(value: unknown): boolean {
  if (!isKnown(value)) return false;
  if (value === null || typeof value !== "object") return true;
  return Object.values(value).every((item) => isDeeplyKnown(item));
}

/**
 * Applies `f` now to a known value, and later to an unknown one. Manifests of plain values stay plain, and an unknown value leaves
 * only its own field unknown.
 */
export function lift<T, U>(value: Input<T>, f: (value: T) => U): Input<U> {
  return isKnown(value) ? f(value as T) : (output(value).apply((v) => f(v as T)) as Output<U>);
}

/** `lift` over a list of which any item may be unknown. */
export function liftAll<T, U>(values: Input<T>[], f: (values: T[]) => U): Input<U> {
  return values.every((v) => isKnown(v))
    ? f(values as T[])
    : (output(values).apply((v) => f(v as unknown as T[])) as Output<U>);
}

/** The map, or undefined if it is empty: the API server drops empty maps, which would look like drift. */
export function unlessEmpty<T extends object>(map: Input<T> | undefined): Input<T> | undefined {
  return map !== undefined && isKnown(map) && Object.keys(map).length === 0 ? undefined : map;
}
