import { createServer } from "node:http";
import type { Server, Socket } from "node:net";
import type { Server as TlsServer } from "node:tls";
import type { Registry } from "prom-client";
import type { Transport } from "../http/transport";
import type { Address } from "../servers/address";
import { listen, parseAddress } from "../servers/address";
import type { Checks } from "../servers/health";
import { healthServer } from "../servers/health";
import { metricsListener, metricsPath } from "../servers/metrics";
import type { KeyPair } from "../servers/secure/certificate";
import { CertificateFiles, describePair } from "../servers/secure/certificate";
import { authorizer } from "../servers/secure/authorize";
import { Reviews } from "../servers/secure/reviews";
import { selfSigned } from "../servers/secure/selfSigned";
import { secureServer, tlsOptions } from "../servers/secure/server";
import type { Logger } from "../types";
import type { ManagerOptions, MetricsOptions } from "./options";

interface Dependencies {
  healthz: Checks;
  readyz: Checks;
  registry: Registry;
  log: Logger;
  /** Connections of the servers' own: a standby, which may not write, asks for reviews too, and callers must not slow the controllers down. */
  connect(): Transport;
}

/** The manager's own servers: probes and metrics. */
export class Endpoints {
  private readonly health: Address | undefined;
  private readonly metrics: Address | undefined;
  private readonly servers: Server[] = [];
  private readonly sockets = new Set<Socket>();
  private reviewing: Transport | undefined;
  private certificate: CertificateFiles | undefined;

  /** Throws when an address cannot be read. */
  constructor(
    private readonly options: ManagerOptions,
    private readonly given: Dependencies,
  ) {
    this.health = parseAddress(options.healthProbeBindAddress ?? "0");
    this.metrics = parseAddress(options.metrics?.bindAddress ?? "0");
  }

  get servesMetrics(): boolean {
    return this.metrics !== undefined;
  }

  /** Resolves to the ports once they listen. Rejects when an address is taken, or when there is no certificate in the folder given. */
  async start(): Promise<{ health?: number; metrics?: number }> {
    const { healthz, readyz, registry, log } = this.given;
    const ports: { health?: number; metrics?: number } = {};
    if (this.health) {
      ports.health = await this.open(healthServer(healthz, readyz), this.health, "--health-probe-bind-address");
    }
    if (this.metrics) {
      const { metrics: options } = this.options;
      const server = options?.secure ? await this.secure(options) : createServer(metricsListener(registry));
      ports.metrics = await this.open(server, this.metrics, "--metrics-bind-address");
      log.info({ port: ports.metrics, secure: options?.secure ?? false }, "Serving metrics server");
    }
    return ports;
  }

  async stop(): Promise<void> {
    this.certificate?.stop();
    const closed = this.servers.map((server) => new Promise((resolve) => server.close(resolve)));
    for (const socket of this.sockets) socket.destroy();
    await Promise.all([...closed, this.reviewing?.close()]);
  }

  private async secure(options: MetricsOptions): Promise<TlsServer> {
    const { registry, log } = this.given;
    const { certificates, http2 = false } = options;
    if (certificates) this.certificate = await CertificateFiles.open(certificates, "--metrics-cert-path");
    const pair = this.certificate?.first ?? selfSigned(this.options.name);
    log.info({ from: certificates?.path ?? "self-signed", ...describePair(pair) }, "Certificate of the metrics server");
    this.reviewing = this.given.connect();
    const admit = authorizer(new Reviews(this.reviewing, log), metricsPath);
    const server = await secureServer(metricsListener(registry, admit), pair, http2);
    const use = (next: KeyPair) => server.setSecureContext(tlsOptions(next));
    this.certificate?.follow(use, log, options.certificateEveryMs);
    return server;
  }

  private open(server: Server, address: Address, flag: string): Promise<number> {
    this.servers.push(server);
    server.on("connection", (socket: Socket) => {
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
    return listen(server, address, flag);
  }
}
