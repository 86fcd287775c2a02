/** What runs the programs of docs/clients.md: how each language is had, and what it is started with. */
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { unpackPackage } from "../../../cluster/images/debianPackages";
import { inFolder } from "../../../cluster/folders";
import { findGo, goEnv } from "../../../cluster/go";
import { cacheDir, repositoryRoot } from "../../../cluster/paths";
import { step } from "../../../cluster/report";
import { run } from "../../../cluster/run";
import { pythonWith } from "../../support/python";

const drivers = join(__dirname, "drivers");

/** Makes a folder that has a program of the page ready to run, and gives the command. */
export type Language = (folder: string) => Promise<string[]>;

export const python: Language = async (folder) => {
  copyFileSync(join(drivers, "driver.py"), join(folder, "driver.py"));
  return [await pythonWith(join(drivers, "requirements.txt")), join(folder, "driver.py")];
};

export const node: Language = async (folder) => {
  copyFileSync(join(drivers, "driver.mjs"), join(folder, "driver.mjs"));
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  return [process.execPath, join(folder, "driver.mjs")];
};

export const go: Language = async (folder) => {
  cpSync(join(drivers, "go"), folder, { recursive: true });
  const program = join(folder, "program");
  const build = ["build", "-mod=readonly", "-o", program, "."];
  await run(await findGo("the client in Go"), build, { cwd: folder, env: goEnv() });
  return [program];
};

/** Debian's release that has a dalli with the meta protocol. */
const SUITE = "trixie";

/** Part of the key of what is cached: raise it to unpack anew. */
const RECIPE = "1";

/** Ruby and dalli from Debian's packages, which need not be those of this machine's release; nothing is installed. */
export const ruby: Language = async (folder) => {
  copyFileSync(join(drivers, "driver.rb"), join(folder, "driver.rb"));
  const root = await rubyRoot();
  const gems = join(root, "usr/share/rubygems-integration/all/gems");
  const find = (path: string, pattern: RegExp) =>
    join(root, path, readdirSync(join(root, path)).find((name) => pattern.test(name)) ?? String(pattern));
  const libraries = find("usr/lib", /-linux-gnu$/);
  const version = find("usr/lib/ruby", /^\d+\.\d+\.0$/);
  const include = [version, join(libraries, "ruby", version.split("/").at(-1)!)].concat(
    readdirSync(gems).map((gem) => join(gems, gem, "lib")),
  );
  const loader = find("usr/lib64", /^ld-linux/);
  const interpreter = [loader, "--library-path", libraries, find("usr/bin", /^ruby\d/), "--disable-gems"];
  return [...interpreter, ...include.flatMap((dir) => ["-I", dir]), join(folder, "driver.rb")];
};

async function rubyRoot(): Promise<string> {
  const root = join(cacheDir(), `ruby-${SUITE}-${RECIPE}-${process.arch}`);
  if (existsSync(root)) return root;
  const unpack = (work: string) =>
    step("unpacking Ruby and dalli from Debian's packages", async () => {
      await unpackPackage("ruby", SUITE, join(work, "ruby"));
      await unpackPackage("ruby-dalli", SUITE, join(work, "dalli"));
      cpSync(join(work, "dalli/root/usr/share"), join(work, "ruby/root/usr/share"), { recursive: true });
      const unfinished = `${root}.${process.pid}`;
      mkdirSync(cacheDir(), { recursive: true });
      cpSync(join(work, "ruby/root"), unfinished, { recursive: true, verbatimSymlinks: true });
      try {
        renameSync(unfinished, root);
      } catch (error) {
        // Another run was as quick.
        if (!existsSync(root)) throw error;
        rmSync(unfinished, { recursive: true });
      }
    });
  await inFolder("ruby", unpack);
  return root;
}
