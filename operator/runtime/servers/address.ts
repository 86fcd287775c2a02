import type { Server } from "node:net";

export interface Address {
  /** Undefined: all addresses of both families. */
  host?: string;
  port: number;
}

/** Reads ":8081", "127.0.0.1:8081", "[::1]:8081" or "0" (undefined: do not listen). Throws a sentence with the remedy. */
export function parseAddress(text: string): Address | undefined {
  if (text === "0") return undefined;
  const match = /^(?:\[([^\]]+)\]|([^:[\]\s]*)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (!match || port > 65_535) {
    throw new Error(`"${text}" is not an address: give HOST:PORT, :PORT, [IPv6]:PORT, or 0 to turn it off`);
  }
  return { host: match[1] || match[2] || undefined, port };
}

/** Resolves to the port once the server listens; rejects with a sentence when it cannot. */
export function listen(server: Server, address: Address, flag: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const where = `${address.host ?? ""}:${address.port}`;
      reject(new Error(`${flag}: cannot listen on ${where}: ${error.message}`, { cause: error }));
    });
    server.listen({ host: address.host, port: address.port }, () => {
      const bound = server.address();
      resolve(typeof bound === "object" && bound ? bound.port : address.port);
    });
  });
}
