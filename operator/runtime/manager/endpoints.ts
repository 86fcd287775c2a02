import type { Server } from "node:http";
import type { Registry } from "prom-client";
import type { Address } from "../servers/address";
import { listen, parseAddress } from "../servers/address";
import type { Checks } from "../servers/health";
import { healthServer } from "../servers/health";
import type { ServerFactory } from "../servers/metrics";
import { metricsListener, plainServer } from "../servers/metrics";
import type { ManagerOptions } from "./options";

/** The manager's own servers: probes and metrics. */
export class Endpoints {
  private readonly health: Address | undefined;
  private readonly metrics: Address | undefined;
  private readonly metricsServer: ServerFactory;
  private readonly servers: Server[] = [];

  /** Throws when an address cannot be read, or when secure metrics are wanted that nothing can serve. */
  constructor(options: ManagerOptions) {
    this.health = parseAddress(options.healthProbeBindAddress ?? "0", "--health-probe-bind-address");
    this.metrics = parseAddress(options.metrics?.bindAddress ?? "0", "--metrics-bind-address");
    this.metricsServer = options.secureServing ?? plainServer;
    if (this.metrics && options.metrics?.secure && !options.secureServing) {
      throw new Error(
        "--metrics-secure: metrics cannot be served over HTTPS yet; give --metrics-secure=false or --metrics-bind-address=0",
      );
    }
    if (!options.metrics?.secure) this.metricsServer = plainServer;
  }

  get servesMetrics(): boolean {
    return this.metrics !== undefined;
  }

  /** Resolves to the ports once they listen. */
  async start(healthz: Checks, readyz: Checks, registry: Registry): Promise<{ health?: number; metrics?: number }> {
    const ports: { health?: number; metrics?: number } = {};
    if (this.health) {
      ports.health = await this.open(healthServer(healthz, readyz), this.health, "--health-probe-bind-address");
    }
    if (this.metrics) {
      const server = await this.metricsServer(metricsListener(registry));
      ports.metrics = await this.open(server, this.metrics, "--metrics-bind-address");
    }
    return ports;
  }

  async stop(): Promise<void> {
    await Promise.all(
      this.servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    );
  }

  private open(server: Server, address: Address, flag: string): Promise<number> {
    this.servers.push(server);
    return listen(server, address, flag);
  }
}
