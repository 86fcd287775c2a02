import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { credentials } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { GetSchemaRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { memcachedProvider } from "../../plugin/provider";
import { builtPackage } from "../support/builtPackage";

const root = join(__dirname, "..", "..");

/** What the engine does with a plugin, short of constructing: tests of YAML and Python programs do that on the engine. */
describe("pulumi: the plugin", function () {
  this.timeout(60_000);
  let packageDir: string;
  const running: ChildProcess[] = [];

  before(async () => {
    packageDir = await builtPackage();
  });
  afterEach(async () => {
    for (const child of running.splice(0)) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  });

  /** Starts a plugin as the engine does, with nothing but a Node on PATH, and gives the port that it prints. */
  async function start(program: string, args: string[], cwd: string): Promise<number> {
    const env = { PATH: dirname(process.execPath) };
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "inherit"] });
    running.push(child);
    const [printed] = (await Promise.race([
      once(child.stdout, "data"),
      once(child, "exit").then(([code]) => assert.fail(`the plugin ended with code ${code} before it printed a port`)),
    ])) as [Buffer];
    assert.match(printed.toString(), /^\d+\n$/);
    return Number(printed.toString());
  }

  /** The version and the schema that the plugin at this port serves. */
  async function asked(port: number): Promise<{ version: string; schema: string }> {
    const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
    try {
      const version = await new Promise<string>((resolve, reject) =>
        client.getPluginInfo(new Empty(), (error, answer) => (error ? reject(error) : resolve(answer.getVersion()))),
      );
      const schema = await new Promise<string>((resolve, reject) =>
        client.getSchema(new GetSchemaRequest(), (error, answer) =>
          error ? reject(error) : resolve(answer.getSchema()),
        ),
      );
      return { version, schema };
    } finally {
      client.close();
    }
  }

  const frozen = () => readFileSync(join(root, "schema.json"), "utf8");
  const release = () => (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version;

  it("is a program that needs no language host: it prints its port, and serves the frozen schema", async () => {
    const port = await start(join(packageDir, "dist/plugin/pulumi-resource-memcached"), ["127.0.0.1:1"], packageDir);
    assert.deepEqual(await asked(port), { version: release(), schema: frozen() });
  });

  it("is the same when Pulumi runs it from a checkout, by PulumiPlugin.yaml", async () => {
    assert.match(readFileSync(join(packageDir, "PulumiPlugin.yaml"), "utf8"), /^runtime: nodejs$/m);
    // What Pulumi's Node host runs for such a plugin.
    const runPlugin = join(packageDir, "node_modules/@pulumi/pulumi/cmd/run-plugin");
    const port = await start(process.execPath, [runPlugin, packageDir, "127.0.0.1:1"], packageDir);
    assert.deepEqual(await asked(port), { version: release(), schema: frozen() });
  });

  it("says what there is when it is asked for something else", async () => {
    await assert.rejects(
      memcachedProvider(frozen()).construct!("image", "memcached:index:OperatorImage", {}, {}),
      /memcached:index:OperatorImage: unknown component; use one of memcached:index:Memcached, memcached:index:MemcachedOperator/,
    );
  });
});
