import { Counter, Gauge, Histogram, type Registry } from "prom-client";

/** Makes metrics of one registry. */
export function families(registry: Registry) {
  const registers = [registry];
  return {
    counter: (name: string, help: string, labelNames: string[]) => new Counter({ name, help, labelNames, registers }),
    histogram: (name: string, help: string, labelNames: string[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    /** `values`, where given, is asked for all of them whenever metrics are. */
    gauge: (name: string, help: string, labelNames: string[], values?: () => [labels: object, value: number][]) =>
      new Gauge({
        ...{ name, help, labelNames, registers },
        collect() {
          if (!values) return;
          this.reset();
          for (const [labels, value] of values()) this.set(labels, value);
        },
      }),
  };
}
