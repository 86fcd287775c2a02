import type { CustomTimeouts } from "@pulumi/pulumi";

export const defaultReadyTimeout = "5m";

/**
 * Pulumi's waits for a resource; `readyTimeout` is a duration ("90s", "1m30s") or a number of seconds ("300"). What
 * cannot be deleted, for a finalizer that nobody removes, is reported sooner than after the provider's 10 minutes.
 */
export function customTimeouts(readyTimeout: string | undefined): CustomTimeouts {
  const text = String(readyTimeout ?? defaultReadyTimeout).trim();
  const timeout = /^\d+$/.test(text) ? `${text}s` : text;
  return { create: timeout, update: timeout, delete: defaultReadyTimeout };
}

/** What is wrong with a `readyTimeout`. */
export function validateTimeout(value: unknown): string[] {
  const text = typeof value === "number" ? String(value) : value;
  const duration = /^(\d+|(\d+(\.\d+)?(ms|s|m|h))+)$/;
  if (value === undefined || (typeof text === "string" && duration.test(text.trim()) && /[1-9]/.test(text))) return [];
  return [`readyTimeout is ${JSON.stringify(value)}: give a duration such as "90s" or "5m", or a number of seconds`];
}
