import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { RequestObserver } from "../http/transport";

const buckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];

/** Counts requests to the API server under client-go's names. */
export function restClientMetrics(registry: Registry): RequestObserver {
  const registers = [registry];
  const labelNames = ["code", "method", "host"];
  const total = new Counter({
    name: "rest_client_requests_total",
    help: "Requests by status code",
    labelNames,
    registers,
  });
  const retries = new Counter({
    name: "rest_client_request_retries_total",
    help: "Retried requests",
    labelNames,
    registers,
  });
  const seconds = new Histogram({
    name: "rest_client_request_duration_seconds",
    help: "Time until the answer began",
    labelNames: ["verb", "host"],
    buckets,
    registers,
  });
  const connects = new Counter({
    name: "rest_client_connections_total",
    help: "Connections opened",
    labelNames: ["host"],
    registers,
  });
  return {
    request(method, host, code, duration) {
      total.labels(code, method, host).inc();
      seconds.labels(method, host).observe(duration);
    },
    retry: (method, host, code) => retries.labels(code, method, host).inc(),
    connect: (host) => connects.labels(host).inc(),
  };
}
