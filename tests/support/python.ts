/** Python with packages of PyPI, in the cache beside the built tools. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensurePrograms } from "../../cluster/debian";
import { cacheDir } from "../../cluster/paths";
import { run, tryRun } from "../../cluster/run";

/** Path of a `python3` that has what a requirements file lists; made at the first call, from PyPI. */
export async function pythonWith(requirements: string): Promise<string> {
  await ensurePrograms([{ name: "python3", package: "python3" }]);
  const version = await run("python3", ["--version"]);
  const key = createHash("sha256").update(version).update(readFileSync(requirements)).digest("hex").slice(0, 12);
  const dir = join(cacheDir(), `python-${key}`);
  if (!existsSync(dir)) await makeEnvironment(dir, requirements);
  return join(dir, "bin", "python3");
}

async function makeEnvironment(dir: string, requirements: string): Promise<void> {
  // Debian has it in a package of its own, which leaves no program behind.
  if ((await tryRun("python3", ["-c", "import venv, ensurepip"])).code !== 0)
    await ensurePrograms([{ name: "python3 -m venv", package: "python3-venv", file: "/usr/share/doc/python3-venv" }]);
  const unfinished = `${dir}.${process.pid}`;
  mkdirSync(dirname(dir), { recursive: true });
  await run("python3", ["-m", "venv", unfinished]);
  const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", requirements];
  await run(join(unfinished, "bin", "python3"), install);
  try {
    renameSync(unfinished, dir);
  } catch (error) {
    // Another run was as quick.
    if (!existsSync(dir)) throw error;
    rmSync(unfinished, { recursive: true });
  }
}
