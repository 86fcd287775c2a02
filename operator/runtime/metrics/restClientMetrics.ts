import { Counter, Histogram } from "prom-client";
import type { Registry } from "prom-client";
import type { RequestObserver } from "../http/transport";

const secondsBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

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
    buckets: secondsBuckets,
    registers,
  });
  const sizes = (what: "request" | "response") =>
    new Histogram({
      name: `rest_client_${what}_size_bytes`,
      help: `Size of a ${what}'s body; watches are not counted`,
      labelNames: ["verb", "host"],
      buckets: sizeBuckets,
      registers,
    });
  const requestSize = sizes("request");
  const responseSize = sizes("response");
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
    sizes(method, host, requestBytes, responseBytes) {
      requestSize.labels(method, host).observe(requestBytes);
      responseSize.labels(method, host).observe(responseBytes);
    },
    retry: (method, host, code) => retries.labels(code, method, host).inc(),
    connect: (host) => connects.labels(host).inc(),
  };
}
