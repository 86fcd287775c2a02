import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run, tryRun } from "../../cluster/run";
import { builtPackage } from "../support/builtPackage";

const root = join(__dirname, "..", "..");
const npmEnv = { ...process.env, npm_config_audit: "false", npm_config_fund: "false", npm_config_loglevel: "error" };

/** What a consumer's strict TypeScript may write. */
const strict = `
import * as pulumi from "@pulumi/pulumi";
import * as k8s from "@pulumi/kubernetes";
import { ImagePullPolicy, Memcached, MemcachedArgs, MemcachedOperator, MemcachedOperatorArgs, OperatorImage } from "pulumi-memcached-operator";

const provider = new k8s.Provider("cluster", { kubeconfig: "{}" });
const image: pulumi.Output<string> = new OperatorImage("image", { name: "registry.example.com/op", push: true }).image;
const operatorArgs: MemcachedOperatorArgs = { image, tolerations: [{ key: "a", operator: "Exists" }] };
const operator = new MemcachedOperator("operator", operatorArgs, { provider });
const args: MemcachedArgs = { size: 3, memory: "256Mi", imagePullPolicy: ImagePullPolicy.Always };
const cache = new Memcached("cache", args, { provider, dependsOn: operator });
const servers: pulumi.Output<string[]> = cache.servers;
// @ts-expect-error a size is a number
new Memcached("wrong", { size: "3" });
// @ts-expect-error there is no such argument
new Memcached("wrong", { sise: 3 });
export { servers };
`;

/** The same program for both module systems: it registers the components under mocks and prints what came of it. */
const program = `
const registered = [];
let stored = "";
pulumi.runtime.setMocks({
  newResource: (args) => {
    registered.push(args.type);
    stored ||= args.inputs.__provider ?? "";
    return { id: args.name, state: { ...args.inputs, metadata: { namespace: "default", name: "cache", ...args.inputs.metadata } } };
  },
  call: () => ({}),
});
const image = new OperatorImage("image", {});
const published = new MemcachedOperator("published", { image: "registry.example.com/memcached-operator:0.1.0" });
const built = new MemcachedOperator("built", { image: image.image, namePrefix: "b-", namespace: "b", installCrds: false });
const cache = new Memcached("cache", { size: 2 }, { dependsOn: [published, built] });
pulumi.all([published.image, built.image, cache.servers]).apply(([reference, made, servers]) =>
  console.log(JSON.stringify({ reference, made, servers, registered, stored })),
);
`;

const names = "{ Memcached, MemcachedOperator, OperatorImage }";

describe("pulumi: the npm package in an empty project", function () {
  this.timeout(300_000);
  let dir: string;
  let project: string;
  let files: string[];
  const installed = (path: string) => join(project, "node_modules", "pulumi-memcached-operator", path);
  const node = (...args: string[]) => tryRun(process.execPath, args, { cwd: project, env: npmEnv });

  before(async () => {
    dir = mkdtempSync(join(tmpdir(), "memcached-consumer-"));
    project = join(dir, "consumer");
    mkdirSync(project);
    // The package is built: its own prepare script would do it again.
    const pack = ["pack", "--json", "--ignore-scripts", "--pack-destination", dir];
    const packed = JSON.parse(await run("npm", pack, { cwd: await builtPackage(), env: npmEnv })) as Packed[];
    files = packed[0]!.files.map(({ path }) => path);
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true }));
    await run("npm", ["install", join(dir, packed[0]!.filename)], { cwd: project, env: npmEnv });
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it("holds the built components, the plugin, the operator's bundle and its pages, and nothing else", () => {
    const kinds = new Set(
      files.map((path) => (path.startsWith("dist/") ? path.split("/").slice(0, 2).join("/") : path)),
    );
    assert.deepEqual([...kinds].sort(), [
      "CHANGELOG.md",
      "LICENSE",
      "README.md",
      "dist/api",
      "dist/components",
      "dist/operator",
      "dist/plugin",
      "dist/schema.json",
      "docs/api.md",
      "docs/conditions.md",
      "docs/languages.md",
      "docs/package-cost.md",
      "docs/reference.md",
      "package.json",
    ]);
    const sources = files.filter((path) => /(?<!\.d)\.ts$|\.map$|\.test\./.test(path));
    assert.deepEqual(sources, []);
    assert.deepEqual(
      files.filter((path) => path.startsWith("dist/operator/")),
      ["dist/operator/Dockerfile", "dist/operator/kubeconfig.js", "dist/operator/main.js"],
    );
  });

  it("brings what it needs and no tool of its development, with one copy of @pulumi/kubernetes", async () => {
    const list = await run("npm", ["ls", "@pulumi/kubernetes", "@pulumi/pulumi", "--all", "--parseable"], {
      cwd: project,
      env: npmEnv,
    });
    assert.deepEqual(list.trim().split("\n").map(fromModules).sort(), ["@pulumi/kubernetes", "@pulumi/pulumi"]);
    const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Lock;
    const { dependencies, devDependencies } = lock.packages[""]!;
    const production = await run("npm", ["ls", "--all", "--parseable"], { cwd: project, env: npmEnv });
    const there = new Set(production.trim().split("\n").map(fromModules));
    for (const name of Object.keys(dependencies!)) assert.ok(there.has(name), `${name} is missing`);
    // Some of what we develop with is also what a dependency needs.
    const ours = Object.keys(devDependencies!).filter((name) => lock.packages[`node_modules/${name}`]?.dev);
    assert.deepEqual(
      ours.filter((name) => there.has(name)),
      [],
    );
  });

  it("stays one copy beside a project's own @pulumi/kubernetes of the same major version", async () => {
    const own = join(dir, "beside");
    mkdirSync(own);
    const tarball = join(dir, `pulumi-memcached-operator-${manifestOf(installed(".")).version}.tgz`);
    const dependencies = { "@pulumi/kubernetes": "4.25.0", "pulumi-memcached-operator": `file:${tarball}` };
    writeFileSync(join(own, "package.json"), JSON.stringify({ name: "beside", private: true, dependencies }));
    await run("npm", ["install", "--package-lock-only"], { cwd: own, env: npmEnv });
    const lock = JSON.parse(readFileSync(join(own, "package-lock.json"), "utf8")) as Lock;
    const copies = Object.keys(lock.packages).filter((path) => path.endsWith("node_modules/@pulumi/kubernetes"));
    assert.deepEqual(copies, ["node_modules/@pulumi/kubernetes"]);
  });

  it("compiles in strict TypeScript, as pulumi new, Node itself and bundlers resolve it", async () => {
    writeFileSync(join(project, "index.ts"), strict);
    const options = { target: "es2022", strict: true, noEmit: true, skipLibCheck: true, types: [] };
    const systems = {
      pulumiNew: { module: "commonjs", moduleResolution: "node10" },
      node: { module: "nodenext", moduleResolution: "nodenext" },
      bundler: { module: "esnext", moduleResolution: "bundler" },
    };
    const files = Object.entries(systems).map(([system, resolution]) => {
      const compilerOptions = { ...options, exactOptionalPropertyTypes: true, ...resolution };
      const file = `tsconfig.${system}.json`;
      writeFileSync(join(project, file), JSON.stringify({ compilerOptions, files: ["index.ts"] }));
      return file;
    });
    // One build of all three reads the declarations of @pulumi/kubernetes once.
    const { code, stdout } = await node(join(root, "node_modules/typescript/bin/tsc"), "--build", ...files);
    assert.deepEqual([code, stdout], [0, ""]);
  });

  for (const [file, imports] of [
    ["run.cjs", `const pulumi = require("@pulumi/pulumi");\nconst ${names} = require("pulumi-memcached-operator");`],
    ["run.mjs", `import * as pulumi from "@pulumi/pulumi";\nimport ${names} from "pulumi-memcached-operator";`],
  ] as const)
    it(`runs as ${file.endsWith("mjs") ? "an ES module" : "CommonJS"}: a published image, and one that it builds`, async () => {
      writeFileSync(join(project, file), `${imports}\n${program}`);
      const { code, stdout, stderr } = await node(file);
      assert.equal(code, 0, stderr);
      const seen = JSON.parse(stdout) as Seen;
      assert.equal(seen.reference, "registry.example.com/memcached-operator:0.1.0");
      assert.match(seen.made, /^localhost\/memcached-operator:[0-9a-f]{16}$/);
      // What Pulumi keeps in the state to build images with runs wherever the stack is worked on, without the package.
      assert.match(seen.stored, /buildah/);
      assert.ok(!seen.stored.includes("pulumi-memcached-operator/"), "the stored provider needs this package");
      assert.deepEqual(seen.servers, ["cache.default.svc.cluster.local:11211"]);
      const count = (type: string) => seen.registered.filter((each) => each === type).length;
      assert.deepEqual(
        [count("kubernetes:apps/v1:Deployment"), count("kubernetes:cache.example.com/v1:Memcached")],
        [2, 1],
      );
    });

  it("builds an image from a context that is complete: the operator starts from it", async () => {
    const context = join(dir, "context");
    cpSync(installed("dist/operator"), context, { recursive: true });
    assert.match(readFileSync(join(context, "Dockerfile"), "utf8"), /COPY .*main\.js/);
    const { code, stdout } = await node(join(context, "main.js"), "--help");
    assert.equal(code, 0);
    assert.match(stdout, /--leader-elect/);
  });

  it("has its plugin among the project's programs, which serves the schema that the package exports", async () => {
    const program = join(project, "node_modules", ".bin", "pulumi-resource-memcached");
    assert.ok(statSync(program).mode & 0o100, "it is not executable");
    const print = `console.log(require.resolve("pulumi-memcached-operator/schema.json"))`;
    assert.equal((await node("-e", print)).stdout.trim(), installed("dist/schema.json"));
    const { version } = JSON.parse(readFileSync(installed("dist/schema.json"), "utf8")) as { version: string };
    assert.equal(version, manifestOf(installed(".")).version);
  });

  it("has no script that fails for want of the repository", async () => {
    await run("npm", ["run", "prepare"], { cwd: installed("."), env: npmEnv });
  });

  it("shows nothing of its inside by other paths", async () => {
    const { code, stderr } = await node("-e", `require("pulumi-memcached-operator/dist/components/lift")`);
    assert.notEqual(code, 0);
    assert.match(stderr, /ERR_PACKAGE_PATH_NOT_EXPORTED/);
  });

  const fromModules = (path: string) => path.split("/node_modules/").at(-1)!;
  const manifestOf = (folder: string) =>
    JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
});

interface Packed {
  filename: string;
  files: { path: string }[];
}

interface Seen {
  reference: string;
  made: string;
  servers: string[];
  registered: string[];
  stored: string;
}

interface Lock {
  packages: Record<
    string,
    { dev?: boolean; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >;
}
