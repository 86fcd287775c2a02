/** A memcached on loopback that speaks TLS, asks for certificates and for a password, as the operator would start it. */
import { type ChildProcess, spawn } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { type MemcachedSpec, withDefaults } from "../../../api";
import { freePorts } from "../../../cluster/ports";
import { waitFor } from "../../../cluster/wait";
import { memcachedArgs } from "../../../operator/memcached/fields/args";
import { Authority } from "../../support/certificates";
import type { MemcachedProgram } from "../api/memcachedProgram";

/** What a server asks of its clients. */
export interface Mode {
  tls: boolean;
  certificate: boolean;
  password: boolean;
}

/** Where the operator's pods have the files. */
const FOLDER = "/etc/memcached";

/** The name by which clients reach the servers. */
export const HOST = "localhost";

/** memcached will not run as root unless asked to; Debian's nobody can. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** The Secrets of one moment, of a server and of its clients. */
export interface Secrets {
  server: Record<string, string>;
  client: Record<string, string>;
}

/** Secrets of an authority that nothing else has; `name` is the one in the servers' certificate. */
export async function newSecrets(
  { tls, certificate, password }: Mode,
  secret: string,
  name: string = HOST,
): Promise<Secrets> {
  const authority = await Authority.make();
  const [server, client] = await Promise.all([authority.issue("server", [name]), authority.issue("client")]);
  return {
    server: {
      "tls.crt": server.cert,
      "tls.key": server.key,
      "client-ca.crt": authority.ca,
      users: `app:${secret}\n`,
    },
    client: {
      ...(tls ? { "ca.crt": authority.ca } : {}),
      ...(certificate ? { "tls.crt": client.cert, "tls.key": client.key } : {}),
      ...(password ? { username: "app", password: secret } : {}),
    },
  };
}

/** Makes a folder hold these files and no others. */
export function fill(folder: string, files: Record<string, string>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  chmodSync(folder, 0o755);
}

export class SecureServer {
  private child?: ChildProcess;
  private said = "";

  private constructor(
    private readonly program: MemcachedProgram,
    private readonly mode: Mode,
    private readonly folder: string,
    readonly port: number,
  ) {}

  /** `folder` is for the server's files; everyone must be able to enter what it lies in. */
  static async start(program: MemcachedProgram, mode: Mode, folder: string, secrets: Secrets): Promise<SecureServer> {
    const [port] = (await freePorts(1)) as [number];
    const server = new SecureServer(program, mode, folder, port);
    fill(folder, secrets.server);
    await server.run();
    return server;
  }

  /** Gives the running server other Secrets, as the operator's helper does. */
  async reload(secrets: Secrets): Promise<void> {
    fill(this.folder, secrets.server);
    this.child?.kill("SIGHUP");
    const { fingerprint256 } = new X509Certificate(secrets.server["tls.crt"]!);
    await waitFor("memcached to take the new certificate", { limitMs: 10_000, everyMs: 10 }, async () => {
      return (await certificateAt(this.port)) === fingerprint256;
    });
  }

  /** Ends the server and starts another at the same address. */
  async restart(): Promise<void> {
    await this.stop();
    await this.run();
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  private async run(): Promise<void> {
    const { tls, certificate, password } = this.mode;
    const spec: MemcachedSpec = {
      port: this.port,
      memory: "64Mi",
      threads: 1,
      verbosity: 1,
      ...(tls ? { tls: { secretName: "tls", ...(certificate ? { clientCA: { secretName: "ca" } } : {}) } } : {}),
      ...(password ? { auth: { secretName: "users" } } : {}),
    };
    const args = memcachedArgs(withDefaults(spec)).map((word) => word.replaceAll(FOLDER, this.folder));
    const [command, ...before] = this.program.command as [string, ...string[]];
    const child = spawn(command, [...before, ...args], { stdio: ["ignore", "ignore", "pipe"], ...nobody });
    this.child = child;
    this.said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    await waitFor(`memcached ${args.join(" ")} to listen`, { limitMs: 10_000, everyMs: 10 }, () => {
      if (child.exitCode !== null) throw new Error(this.said);
      return listens(this.port);
    });
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("connect", () => socket.destroy()).on("error", () => resolve(false));
  });
}

/** The fingerprint of the certificate that a server shows. */
function certificateAt(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.on("error", () => resolve(undefined));
  });
}
