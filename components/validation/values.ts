import { RunError } from "@pulumi/pulumi";
import { isDeeplyKnown } from "../lift";

/** @throws RunError, which Pulumi shows without a stack trace, if there is any error */
export function refuse(kind: string, name: string, problems: string[]): void {
  if (problems.length > 0) throw new RunError(`${kind} "${name}" is refused: ${problems.join("; ")}`);
}

/** A value as a program writes it. */
export function show(value: unknown): string {
  if (!isDeeplyKnown(value)) return "an Output";
  // JSON cannot represent NaN, Infinity and big integers.
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  const text = JSON.stringify(value, (_, item: unknown) => (typeof item === "bigint" ? `${item}n` : item));
  return text ?? String(value);
}
