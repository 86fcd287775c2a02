/** Bundled for a pod: stores and reads through each server of SERVERS (HOST:PORT, space between) and prints `{server: value}`. */
import { Client } from "memjs";

async function main(): Promise<void> {
  const found: Record<string, string | undefined> = {};
  for (const server of (process.env.SERVERS ?? "").split(" ")) {
    const client = Client.create(server, { timeout: 2, retries: 1 });
    await client.set("memjs", server, { expires: 60 });
    found[server] = (await client.get("memjs")).value?.toString();
    client.close();
  }
  process.stdout.write(JSON.stringify(found));
}

void main();
