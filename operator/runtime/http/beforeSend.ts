import type { Dispatcher } from "undici";
import { DecoratorHandler } from "undici";

type Handler = Dispatcher.DispatchHandler;

/**
 * Calls `check` with the method when a request is about to be written, which may be long after it was asked for: it waits for a
 * connection first. When `check` throws, the request fails with that and nothing is sent.
 */
export function beforeSend(check: (method: string) => void): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, new Checked(handler, () => check(options.method)));
}

class Checked extends DecoratorHandler {
  constructor(
    private readonly handler: Handler,
    private readonly check: () => void,
  ) {
    super(handler);
  }

  onRequestStart(...args: Parameters<NonNullable<Handler["onRequestStart"]>>): void {
    this.check();
    this.handler.onRequestStart?.(...args);
  }
}
