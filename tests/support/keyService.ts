/**
 * Stands in for the service that keeps the key of a stack's secrets. With a passphrase, Pulumi makes a key anew in each of its runs, by a
 * million rounds of SHA-256: a third of what a run costs.
 */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a stack's settings say of its key: in the service's words, which only it could tell the key from. */
export const stackSecrets = {
  secretsProvider: "hashivault://tests",
  encryptedKey: Buffer.from("vault:v1:tests").toString("base64"),
};

const key = randomBytes(32).toString("base64");
let shared: Promise<Record<string, string>> | undefined;

/** Starts the service at the first call, for as long as this process runs, and gives the variables by which Pulumi finds it. */
export function keyService(): Promise<Record<string, string>> {
  return (shared ??= start());
}

async function start(): Promise<Record<string, string>> {
  const answer = JSON.stringify({ data: { plaintext: key, ciphertext: "vault:v1:tests" } });
  const server = createServer((_, response) => response.setHeader("content-type", "application/json").end(answer));
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  const { port } = server.address() as AddressInfo;
  return { VAULT_SERVER_URL: `http://127.0.0.1:${port}`, VAULT_SERVER_TOKEN: "tests" };
}
