import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensurePrograms, imagePrograms } from "../../cluster/debian";
import { which } from "../../cluster/run";
import { OperatorImage } from "../../components";
import { until } from "../support/until";
import { newStack } from "../support/stack";
import type { TestStack } from "../support/stack";

/** Debian's registry and buildah, as they are. */
describe("pulumi: OperatorImage to a registry", function () {
  this.timeout(120_000);
  let stack: TestStack;
  let registry: ChildProcess;
  let url: string;
  let log = "";
  let dir: string;
  let contextDir: string;

  const tags = async () => {
    const response = await fetch(`http://${url}/v2/platform/operator/tags/list`);
    return response.ok ? ((await response.json()) as { tags: string[] }).tags : [];
  };
  const pushes = () => log.split("\n").filter((line) => line.includes("http.request.method=PUT")).length;

  before(async () => {
    await ensurePrograms([...imagePrograms, { name: "docker-registry", package: "docker-registry" }]);
    url = `127.0.0.1:${await freePort()}`;
    stack = await newStack("/nowhere/kubeconfig", () => ({
      image: new OperatorImage("image", { contextDir, name: `${url}/platform/operator`, engine: "buildah", push: true })
        .image,
    }));
    dir = mkdtempSync(join(tmpdir(), "registry-"));
    contextDir = join(dir, "context");
    mkdirSync(contextDir);
    writeFileSync(join(contextDir, "Dockerfile"), "FROM scratch\nCOPY main.js /main.js\n");
    writeFileSync(join(contextDir, "main.js"), "1;\n");
    const config = {
      version: 0.1,
      storage: { filesystem: { rootdirectory: join(dir, "registry") } },
      http: { addr: url },
    };
    writeFileSync(join(dir, "registry.json"), JSON.stringify(config));
    // It speaks plain HTTP, which engines take only where they are told.
    const registries = join(dir, "registries.conf");
    writeFileSync(registries, `[[registry]]\nlocation = "${url}"\ninsecure = true\n`);
    const storage = join(dir, "storage.conf");
    const folders = `graphroot = "${dir}/images"\nrunroot = "${dir}/run"\n`;
    writeFileSync(storage, `[storage]\ndriver = "vfs"\n${folders}`);
    const settings = { CONTAINERS_REGISTRIES_CONF: registries, CONTAINERS_STORAGE_CONF: storage };
    Object.assign(stack.stack.workspace.envVars, settings, { BUILDAH_ISOLATION: "chroot" });
    registry = spawn(which("docker-registry")!, ["serve", join(dir, "registry.json")], { env: {} });
    for (const stream of [registry.stdout!, registry.stderr!])
      stream.on("data", (text: Buffer) => (log += text.toString()));
    await until("the registry to answer", 20_000, async () => (await fetch(`http://${url}/v2/`)).ok);
  });
  after(async () => {
    registry.kill("SIGTERM");
    await once(registry, "exit");
    stack.remove();
    rmSync(dir, { recursive: true });
  });

  it("pushes nothing in a preview", async () => {
    await stack.preview();
    assert.deepEqual(await tags(), []);
  });

  it("builds and pushes what its tag says", async () => {
    const { outputs } = await stack.up();
    const [, tag] = /:([0-9a-f]{16})$/.exec(outputs.image!.value as string)!;
    assert.deepEqual(await tags(), [tag]);
  });

  it("pushes nothing again while the tree is the same, and what changed when it is not", async () => {
    const before = pushes();
    assert.ok(before > 0, "the registry logs no pushes");
    await stack.up();
    await stack.noChanges();
    assert.equal(pushes(), before);
    writeFileSync(join(contextDir, "main.js"), "2;\n");
    await stack.up();
    assert.equal((await tags()).length, 2);
    await stack.destroy();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
