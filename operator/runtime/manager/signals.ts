import type { Logger } from "../types";

/**
 * Makes the returned signal follow SIGTERM and SIGINT; a second one exits at once. A promise nobody handles or an exception nobody caught
 * ends the process with 1: what state it is in, nobody knows. `undo` takes the handlers away.
 */
export function followSignals(log: Logger): { signal: AbortSignal; undo: () => void } {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) {
      log.warn({ signal: name }, "Second signal, exiting at once");
      process.exit(1);
    }
    log.info({ signal: name }, "Shutting down");
    controller.abort();
  };
  const die = (error: unknown) => {
    log.fatal({ err: error }, "Unhandled error, exiting");
    process.exit(1);
  };
  process.on("SIGTERM", stop).on("SIGINT", stop).on("unhandledRejection", die).on("uncaughtException", die);
  const undo = () => {
    process.off("SIGTERM", stop).off("SIGINT", stop).off("unhandledRejection", die).off("uncaughtException", die);
  };
  return { signal: controller.signal, undo };
}
