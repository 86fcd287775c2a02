import type { Registry } from "prom-client";
import type { RequestObserver } from "../http/transport";
import { families } from "./families";

const secondsBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const sizeBuckets = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];

/** Counts requests to the API server under client-go's names. */
export function restClientMetrics(registry: Registry): RequestObserver {
  const { counter, histogram } = families(registry);
  const labels = ["code", "method", "host"];
  const total = counter("rest_client_requests_total", "Requests by status code", labels);
  const retries = counter("rest_client_request_retries_total", "Retried requests", labels);
  const connects = counter("rest_client_connections_total", "Connections opened", ["host"]);
  const each = ["verb", "host"];
  const seconds = histogram(
    "rest_client_request_duration_seconds",
    "Time until the answer began",
    each,
    secondsBuckets,
  );
  const sizes = (what: "request" | "response") =>
    histogram(`rest_client_${what}_size_bytes`, `Size of a ${what}'s body; watches are not counted`, each, sizeBuckets);
  const requestSize = sizes("request");
  const responseSize = sizes("response");
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
