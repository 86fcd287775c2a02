import type { Dispatcher } from "undici";
import type { IncomingHttpHeaders } from "undici/types/header";

/** From so many unread bytes on the server has to wait. */
const highWaterMark = 256 * 1024;

/** An answer that has begun. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Body;
}

/**
 * Sends a request, and resolves when the answer begins. undici's own `request` gives the body as one of Node's streams, which cost more than
 * all else in a small answer. `signal` ends the request, also while it is answered. `beforeWrite` is called when the request is about to be
 * written, which may be long after it was asked for: it waits for a connection first. When it throws, the request fails with that, unsent.
 */
export function request(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  beforeWrite: () => void,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let body: Body | undefined;
    const abort = () => controller?.abort(signal.reason as Error);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        signal.throwIfAborted();
        beforeWrite();
      },
      onResponseStart(started, status, headers) {
        body = new Body(started);
        resolve({ status, headers, body });
      },
      onResponseData: (_controller, chunk) => body?.push(chunk),
      onResponseEnd() {
        signal.removeEventListener("abort", abort);
        body?.end();
      },
      onResponseError(_controller, error) {
        signal.removeEventListener("abort", abort);
        reject(error);
        body?.end(error);
      },
    };
    signal.addEventListener("abort", abort, { once: true });
    dispatcher.dispatch(options, handler);
  });
}

/** The body of an answer, to be read once: in pieces, as they come, or as a whole. */
export class Body implements AsyncIterable<Buffer> {
  /** Bytes so far. */
  received = 0;
  private readonly unread: Buffer[] = [];
  private unreadBytes = 0;
  private ended: { error?: Error } | undefined;
  private wake: () => void = () => undefined;

  constructor(private readonly controller: Dispatcher.DispatchController) {}

  push(chunk: Buffer): void {
    this.received += chunk.length;
    this.unreadBytes += chunk.length;
    this.unread.push(chunk);
    if (this.unreadBytes > highWaterMark) this.controller.pause();
    this.wake();
  }

  end(error?: Error): void {
    this.ended = { error };
    if (error) this.unread.length = 0;
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.unread.shift();
      if (chunk) {
        this.unreadBytes -= chunk.length;
        yield chunk;
      } else if (this.ended) {
        if (this.ended.error) throw this.ended.error;
        return;
      } else {
        const woken = new Promise<void>((resolve) => (this.wake = resolve));
        // May push the next pieces at once, before it returns.
        if (this.controller.paused) this.controller.resume();
        await woken;
      }
    }
  }

  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }
}
