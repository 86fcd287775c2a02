import type { Dispatcher } from "undici";
import type { IncomingHttpHeaders } from "undici/types/header";

/** A whole answer. */
export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Of the body. */
  bytes: number;
}

/**
 * Sends a request and gathers its answer, without the streams of undici's own `request`, which cost more than all else in a small answer.
 * Rejects with the signal's reason as soon as it aborts, also while the request waits for a connection: it is then not sent any more.
 */
export function collect(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    const abort = () => {
      const reason = signal.reason as Error;
      controller?.abort(reason);
      reject(reason);
    };
    const settle = () => signal.removeEventListener("abort", abort);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason as Error);
      },
      onResponseStart(_controller, statusCode, received) {
        status = statusCode;
        headers = received;
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd() {
        settle();
        const body = chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
        resolve({ status, headers, text: body.toString("utf8"), bytes: body.length });
      },
      onResponseError(_controller, error) {
        settle();
        reject(error);
      },
    };
    signal.addEventListener("abort", abort, { once: true });
    if (signal.aborted) return abort();
    dispatcher.dispatch(options, handler);
  });
}
