/** A client of one memcached: many sets at once, statistics, and connections that are held in the midst of a command. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One connection whose requests are answered in turn. */
export class Connection {
  private said = "";
  private error: Error | undefined;
  private wake = (): void => undefined;

  private constructor(private readonly socket: Socket) {
    socket.setEncoding("latin1").on("data", (text: string) => (this.said += text));
    socket.on("error", (error) => (this.error = error));
    for (const event of ["data", "drain", "close"]) socket.on(event, () => this.wake());
  }

  static async open(host: string, port: number): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, "connect");
    return new Connection(socket);
  }

  /** Sends, and waits only while the socket is full. */
  async send(data: string): Promise<void> {
    this.check();
    this.socket.write(data, "latin1");
    while (this.socket.writableNeedDrain) await this.change();
  }

  async stats(): Promise<Map<string, number>> {
    this.said = "";
    await this.send("stats\r\n");
    while (!this.said.endsWith("END\r\n")) await this.change();
    return new Map([...this.said.matchAll(/^STAT (\S+) ([\d.]+)\r$/gm)].map((m) => [m[1]!, Number(m[2])]));
  }

  close(): void {
    this.socket.destroy();
  }

  private async change(): Promise<void> {
    this.check();
    await new Promise<void>((resolve) => (this.wake = resolve));
  }

  private check(): void {
    if (this.error) throw this.error;
    if (this.socket.destroyed) throw new Error("memcached closed the connection");
  }
}

/** Opened at a time, below the backlog of connections that memcached has yet to accept. */
const BATCH = 200;

const key = "k".repeat(240);
/** Whole commands that fill memcached's buffer of 16 KiB to its end, so that all of it is in memory, then most of one. */
const talk = `get ${key}\r\n`.repeat(72) + `get ${`${key} `.repeat(8)}`;

/**
 * Opens connections and leaves each in the midst of a command, so that memcached keeps a buffer for it. That it refuses some when it
 * has its fill is no error. Gives what closes them.
 */
export async function holdConnections(host: string, port: number, count: number): Promise<() => void> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const batch = Array.from({ length: Math.min(BATCH, count - sockets.length) }, () => connect({ host, port }));
    await Promise.all(
      batch.map(async (socket) => {
        socket.on("error", () => undefined).resume();
        await once(socket, "connect");
        socket.write(talk);
        // The first answer, or the refusal.
        await Promise.race([once(socket, "data"), once(socket, "close")]);
      }),
    );
    sockets.push(...batch);
  }
  return () => sockets.forEach((socket) => socket.destroy());
}
