import pino from "pino";
import type { Logger } from "./types";

export interface LogOptions {
  /** "debug", "info", "warn" or "error". Default "info". */
  level?: string;
  /** "json" (one object a line, ISO times) or "text" for people. Default "json". */
  format?: "json" | "text";
  /** Default: stderr. */
  write?: (line: string) => void;
}

/** Writes synchronously, so the last words before an exit are not lost. */
export function createLogger(options: LogOptions = {}): Logger {
  const { level = "info", format = "json", write } = options;
  const sink = write ? { write } : pino.destination({ dest: 2, sync: true });
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: errorOf, error: errorOf },
    },
    format === "text" ? { write: (line: string) => sink.write(textOf(line)) } : sink,
  );
}

/** Server errors are told by their sentence; only our own mistakes need a stack. */
function errorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message } = error;
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const expected = name === "ApiError" || name === "TransportError" || name === "FencedError";
  return { type: name, message, code, reason, stack: expected ? undefined : error.stack };
}

function textOf(line: string): string {
  const { time, level, msg, err, ...rest } = JSON.parse(line) as Record<string, unknown>;
  const fields = Object.entries(rest).map(
    ([key, value]) => ` ${key}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const cause = err as { message?: string; stack?: string } | undefined;
  const error = cause ? `: ${cause.stack ?? cause.message ?? String(err)}` : "";
  return `${String(time)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${error}${fields.join("")}\n`;
}
