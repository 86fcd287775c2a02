import type { Clock } from "../clock";
import { ApiError, TransportError } from "../errors";
import type { StatusDetails } from "../errors";
import { parseLean } from "../http/leanJson";
import type { Reader } from "../http/transport";
import type { KubeObject } from "../types";
import { LineSplitter } from "./lines";

const headersTimeoutMs = 30_000;
/** Handling a burst goes on for this long before timers (the lease's above all) get their turn. */
const sliceMs = 5;

export interface WatchEvent {
  type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
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
  /** Whether an event, seen only as text, brings nothing new. */
  isKnown: (line: string) => boolean;
}

/**
 * Reads one watch to its end: resolves when the server closes it, rejects with ApiError (an ERROR event of the stream included) or
 * TransportError ("SILENT" when nothing came for `silenceMs`).
 */
export async function readWatch(transport: Reader, options: WatchStreamOptions): Promise<void> {
  const { clock, path, signal, silenceMs, onOpen, onEvent, isKnown } = options;
  const controller = new AbortController();
  const follow = () => controller.abort(signal.reason);
  signal.addEventListener("abort", follow, { once: true });
  if (signal.aborted) follow();
  let heard = clock.now();
  const check = () => {
    const left = heard + silenceMs - clock.now();
    if (left > 0) silence = clock.setTimeout(check, left);
    else controller.abort(new TransportError("SILENT", `nothing came on the watch for ${silenceMs / 1000} s`));
  };
  let silence = clock.setTimeout(check, silenceMs);
  try {
    const body = await transport.stream(path, controller.signal, headersTimeoutMs);
    onOpen();
    const lines = new LineSplitter();
    let sliceStart = performance.now();
    for await (const chunk of body) {
      heard = clock.now();
      for (const line of lines.push(chunk)) {
        controller.signal.throwIfAborted();
        if (!isKnown(line)) onEvent(eventOf(line));
        if (performance.now() - sliceStart > sliceMs) {
          await new Promise<void>((resolve) => setImmediate(resolve));
          sliceStart = performance.now();
        }
      }
    }
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof ApiError || error instanceof TransportError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new TransportError(code ?? "UNKNOWN", `the watch broke: ${message}`, { cause: error });
  } finally {
    silence.cancel();
    signal.removeEventListener("abort", follow);
    // Leaves no half-read answer behind, whichever way the loop ended.
    controller.abort();
  }
}

function eventOf(line: string): WatchEvent {
  const event = parseLean(line) as WatchEvent;
  if (event.type !== "ERROR") return event;
  const status = event.object as Status;
  throw new ApiError(status.code ?? 500, status.reason ?? "", status.message ?? "the watch failed", status.details);
}
