// Every npm script enters here: on any Node from 20 up, with nothing installed. It installs the dependencies when
// they are missing or stale, finds a Node 22, and goes on there with the TypeScript of scripts/<command>.ts.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [major] = process.versions.node.split(".").map(Number);
if (major < 20) fail(`Node ${process.versions.node} is too old: install Node 20 or later (https://nodejs.org).`);

const command = process.argv[2];
if (!command || !/^[a-z]+$/.test(command) || !existsSync(join(root, "scripts", `${command}.ts`)))
  fail(`unknown command "${command ?? ""}": the commands are the scripts of package.json (npm run).`, 2);

install();
run(node22(), [
  "--require",
  join(root, "node_modules/tsx/dist/cjs/index.cjs"),
  join(root, "scripts", `${command}.ts`),
  ...process.argv.slice(3),
]);

/** npm ci, when node_modules does not hold what package-lock.json asks for. */
function install() {
  // npm itself is at it, and has come to this package's own script.
  if (process.env.npm_lifecycle_event === "prepare") return;
  const stamp = join(root, "node_modules", ".installed");
  const want = createHash("sha256")
    .update(readFileSync(join(root, "package-lock.json")))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return;
  console.error("installing the npm dependencies (npm ci) …");
  const npm = process.env.npm_execpath ? [process.execPath, process.env.npm_execpath] : ["npm"];
  const done = spawnSync(
    npm[0],
    [...npm.slice(1), "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
    { cwd: root, stdio: ["ignore", 2, 2] },
  );
  if (done.status !== 0) fail("npm ci failed: see its output above.");
  writeFileSync(stamp, want);
}

/** This Node when it is 22.21 or later, else the one that came with the dependencies. */
function node22() {
  const [a, b] = process.versions.node.split(".").map(Number);
  if (a > 22 || (a === 22 && b >= 21)) return process.execPath;
  const packaged = join(root, "node_modules", `node-${process.platform}-${process.arch}`, "bin", "node");
  if (existsSync(packaged)) return packaged;
  return fail(
    `Node 22.21 or later is needed and there is none packaged for ${process.platform}-${process.arch}: install it.`,
  );
}

/**
 * Runs the script in a process group of its own and passes signals on to all of it, once: a terminal signals us, and npm
 * does it again, and a second signal would mean "at once" to those who drain.
 */
function run(node, args) {
  const env = { ...process.env, PATH: `${dirname(node)}:${join(root, "node_modules/.bin")}:${process.env.PATH}` };
  const child = spawn(node, args, { stdio: "inherit", env, detached: true });
  let last = -Infinity;
  const passOn = (signal) => {
    if (performance.now() - last < 500) return;
    last = performance.now();
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended: its exit code is on the way.
    }
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, passOn);
  child.on("exit", (code, signal) => process.exit(signal ? 128 + constants.signals[signal] : code));
  if (process.env.npm_lifecycle_event) onceOrphaned(() => passOn("SIGTERM"));
}

/** npm tells a signal of its own to the shell between us alone, which ends and does not pass it on. */
function onceOrphaned(act) {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    act();
  }, 250);
}

function fail(message, code = 1) {
  console.error(message);
  process.exit(code);
}
