import type { CustomTimeouts } from "@pulumi/pulumi";

export const defaultReadyTimeout = "5m";

/**
 * Pulumi's timeouts for a resource. `readyTimeout` is a duration ("90s", "1m30s") or a number of seconds ("300"). The timeout for a
 * deletion is shorter than the provider's 10 minutes.
 */
export function customTimeouts(readyTimeout: string | undefined): CustomTimeouts {
  const text = String(readyTimeout ?? defaultReadyTimeout).trim();
  const timeout = /^\d+$/.test(text) ? `${text}s` : text;
  return { create: timeout, update: timeout, delete: defaultReadyTimeout };
}
