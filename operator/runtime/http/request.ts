import type { Dispatcher } from "undici";
import type { IncomingHttpHeaders } from "undici/types/header";

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
      onResponseStart(_controller, status, headers) {
        body = new Body();
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

/**
 * The body of an answer, to be read once: in pieces, as they come, or as a whole. Nothing slows the server down, so those who read the pieces
 * do what they do with one before they ask for the next.
 */
export class Body implements AsyncIterable<Buffer> {
  /** Bytes so far. */
  received = 0;
  private readonly unread: Buffer[] = [];
  private ended: { error?: Error } | undefined;
  private wake: () => void = () => undefined;

  push(chunk: Buffer): void {
    this.received += chunk.length;
    this.unread.push(chunk);
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
      if (chunk) yield chunk;
      else if (this.ended?.error) throw this.ended.error;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return Buffer.concat(chunks).toString("utf8");
  }
}
