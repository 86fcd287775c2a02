import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../../support/until";
import { type MemcachedProgram, memcachedProgram } from "../api/memcachedProgram";
import { type Language, go, node, python, ruby } from "./languages";
import { PageClient, prepare } from "./pageClient";
import { HOST, type Mode, type Secrets, SecureServer, fill, newSecrets } from "./secureServer";

const mode = (tls: boolean, certificate: boolean, password: boolean): Mode => ({ tls, certificate, password });

/** The columns of the page's table. */
const modes: Record<string, Mode> = {
  plain: mode(false, false, false),
  TLS: mode(true, false, false),
  "client certificate": mode(true, true, false),
  password: mode(false, false, true),
  "TLS, certificate and password": mode(true, true, true),
};
const all = modes["TLS, certificate and password"]!;

interface Client {
  heading: string;
  language: Language;
  /** Whether it can be used with more than plain text. */
  secure: boolean;
  /** Whether its cache connects again by itself. */
  reconnects: boolean;
}

const clients: Client[] = [
  { heading: "pymemcache (Python)", language: python, secure: true, reconnects: true },
  { heading: "memcache (Node.js)", language: node, secure: true, reconnects: true },
  { heading: "gomemcache (Go)", language: go, secure: true, reconnects: true },
  { heading: "dalli (Ruby)", language: ruby, secure: true, reconnects: true },
  { heading: "memjs (Node.js)", language: node, secure: false, reconnects: true },
  { heading: "A socket of your own", language: python, secure: true, reconnects: false },
];

describe("the clients of docs/clients.md, against a real memcached", function () {
  this.timeout(180_000);
  let program: MemcachedProgram;
  let folder: string;
  let server: SecureServer | undefined;
  let client: PageClient | undefined;

  before(async () => {
    program = await memcachedProgram();
    folder = mkdtempSync(join(tmpdir(), "clients-"));
    chmodSync(folder, 0o755);
  });
  after(() => {
    program?.remove();
    if (folder) rmSync(folder, { recursive: true });
  });
  afterEach(async () => {
    await client?.stop();
    await server?.stop();
  });

  const serve = async (asked: Mode, secrets: Secrets): Promise<SecureServer> =>
    (server = await SecureServer.start(program, asked, join(folder, "server"), secrets));
  const give = (files: Record<string, string>) => fill(join(folder, "secrets"), files);
  const start = (command: string[], { port }: SecureServer): PageClient =>
    (client = new PageClient(command, `${HOST}:${port}`, join(folder, "secrets")));
  /** What a client that has these files is told. */
  const answerTo = async (command: string[], at: SecureServer, files: Record<string, string>) => {
    give(files);
    const answer = await start(command, at).ask("kept");
    await client?.stop();
    return answer;
  };

  for (const [number, { heading, language, secure, reconnects }] of clients.entries()) {
    describe(heading, () => {
      let command: string[];
      before(async () => {
        command = await prepare(heading, language, join(folder, `client-${number}`));
      });

      for (const [name, asked] of Object.entries(modes)) {
        const isServed = secure || name === "plain";
        it(`${name}: ${isServed ? "is served" : "cannot be used"}`, async () => {
          const secrets = await newSecrets(asked, "first");
          const answer = await answerTo(command, await serve(asked, secrets), secrets.client);
          if (isServed) assert.equal(answer, "ok");
          else assert.notEqual(answer, "ok");
        });
      }

      if (!secure) return;

      it("is refused without a certificate, a login or the right password", async () => {
        const secrets = await newSecrets(all, "first");
        const at = await serve(all, secrets);
        const some = (...names: string[]) => Object.fromEntries(names.map((name) => [name, secrets.client[name]!]));
        const [ca, pair, login] = [some("ca.crt"), some("tls.crt", "tls.key"), some("username", "password")];
        assert.equal(await answerTo(command, at, { ...ca, ...pair, ...login }), "ok");
        assert.notEqual(await answerTo(command, at, { ...ca, ...login }), "ok");
        assert.notEqual(await answerTo(command, at, { ...ca, ...pair }), "ok");
        const guess = await answerTo(command, at, { ...ca, ...pair, ...login, password: "guess" });
        assert.match(guess, /authentication failure/);
      });

      it("itself refuses a server with another name, or of another authority", async () => {
        const [misnamed, other] = [await newSecrets(all, "first", "elsewhere"), await newSecrets(all, "first")];
        const at = await serve(all, misnamed);
        assert.match(await answerTo(command, at, misnamed.client), /hostname mismatch|localhost/i);
        await at.reload(other);
        const answer = await answerTo(command, at, { ...other.client, "ca.crt": misnamed.client["ca.crt"]! });
        assert.match(answer, /self-signed certificate|unknown authority/);
      });

      it("keeps its connection while certificates and password change, and uses the new ones for the next", async () => {
        const [first, second] = await Promise.all([newSecrets(all, "first"), newSecrets(all, "second")]);
        const at = await serve(all, first);
        give(first.client);
        const cache = start(command, at);
        assert.equal(await cache.ask("kept"), "ok");
        await at.reload(second);
        assert.equal(await cache.ask("kept"), "ok");
        assert.notEqual(await cache.ask("new"), "ok");
        give(second.client);
        assert.equal(await cache.ask("kept"), "ok");
        assert.equal(await cache.ask("new"), "ok");
        if (!reconnects) return;
        await at.restart();
        await until("the cache to connect again", 90_000, async () => {
          const answer = await cache.ask("kept");
          return answer === "ok" || Promise.reject(new Error(answer));
        });
      });
    });
  }
});
