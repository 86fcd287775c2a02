import type { Clock } from "../clock";
import { IdleTimer } from "../clock";
import { ApiError, TransportError } from "../errors";
import type { StatusDetails } from "../errors";
import { parseLean } from "../http/leanJson";
import type { Reader } from "../http/transport";
import { stripManagedFields } from "../object";
import type { KubeObject } from "../types";
import { LineSplitter } from "./lines";

const headersTimeoutMs = 30_000;

export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  object: KubeObject;
}

interface Status {
  code?: number;
  reason?: string;
  message?: string;
  details?: StatusDetails;
}

export interface WatchStreamOptions {
  path: string;
  clock: Clock;
  signal: AbortSignal;
  /** The stream is given up after this long without a byte: connections die without a word. */
  silenceMs: number;
  /** The server has taken the watch on. */
  onOpen: () => void;
  onEvent: (event: WatchEvent) => void;
}

/**
 * Reads one watch to its end: resolves when the server closes it, rejects with ApiError (an ERROR event of the stream included) or
 * TransportError ("SILENT" when nothing came for `silenceMs`).
 */
export async function readWatch(transport: Reader, options: WatchStreamOptions): Promise<void> {
  const { path, silenceMs, onOpen, onEvent } = options;
  const ending = new AbortController();
  const signal = AbortSignal.any([options.signal, ending.signal]);
  const silence = new IdleTimer(options.clock, silenceMs, () =>
    ending.abort(new TransportError("SILENT", `nothing came on the watch for ${silenceMs / 1000} s`)),
  );
  try {
    const body = await transport.stream(path, signal, headersTimeoutMs);
    onOpen();
    const lines = new LineSplitter();
    for await (const chunk of body) {
      silence.touch();
      for (const line of lines.push(chunk)) {
        signal.throwIfAborted();
        onEvent(eventOf(line));
      }
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof ApiError || error instanceof TransportError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new TransportError(code ?? "UNKNOWN", `the watch broke: ${message}`, { cause: error });
  } finally {
    silence.cancel();
    // Leaves no half-read answer behind, whichever way the loop ended.
    ending.abort();
  }
}

function eventOf(line: string): WatchEvent {
  const event = parseLean(line) as WatchEvent | { type: "ERROR"; object: Status };
  if (event.type !== "ERROR") return { type: event.type, object: stripManagedFields(event.object) };
  const { code = 500, reason = "", message = "the watch failed", details } = event.object;
  throw new ApiError(code, reason, message, details);
}
