/** Unpacks Debian packages into a folder without installing them, from a release of Debian's that need not be ours. */
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../errors";
import { run, which } from "../run";

const SOURCES = "/etc/apt";

/**
 * Unpacks `name` and everything it depends on, from Debian's release `suite` by the mirror that this machine's apt uses.
 * `folder` is made; `folder/root` holds the file system, with the links of a merged /usr. Gives the package's upstream version.
 */
export async function unpackPackage(name: string, suite: string, folder: string): Promise<string> {
  if (!which("apt-get")) throw new UserError(`apt-get not found: the ${name} image is made of Debian's packages.`);
  for (const dir of ["lists/partial", "archives/partial", "root"]) mkdirSync(join(folder, dir), { recursive: true });
  for (const dir of ["bin", "lib", "lib64", "sbin"]) {
    mkdirSync(join(folder, "root/usr", dir), { recursive: true });
    symlinkSync(`usr/${dir}`, join(folder, "root", dir));
  }
  writeFileSync(join(folder, "status"), "");
  writeFileSync(join(folder, "sources.list"), `deb ${debianMirror()} ${suite} main\n`);
  const options = [
    `Dir::Etc::sourcelist=${join(folder, "sources.list")}`,
    "Dir::Etc::sourceparts=/dev/null",
    `Dir::State::lists=${join(folder, "lists")}`,
    `Dir::State::status=${join(folder, "status")}`,
    `Dir::Cache=${folder}`,
    "Acquire::Languages=none",
    // As root, apt fetches as another user, who may not enter our folder.
    "APT::Sandbox::User=root",
  ].flatMap((option) => ["-o", option]);
  await run("apt-get", [...options, "-qq", "update"]);
  await run("apt-get", [...options, "-qq", "-y", "--no-install-recommends", "--download-only", "install", name]);
  const archives = readdirSync(join(folder, "archives")).filter((file) => file.endsWith(".deb"));
  for (const file of archives)
    await run("dpkg-deb", ["--extract", join(folder, "archives", file), join(folder, "root")]);
  const version = archives.find((file) => file.startsWith(`${name}_`))?.split("_")[1] ?? "";
  return decodeURIComponent(version)
    .replace(/^\d+:/, "")
    .replace(/-[^-]*$/, "");
}

/** The mirror of Debian's main archive in this machine's own apt sources. */
function debianMirror(): string {
  const dir = join(SOURCES, "sources.list.d");
  const files = [
    join(SOURCES, "sources.list"),
    ...(existsSync(dir) ? readdirSync(dir).map((file) => join(dir, file)) : []),
  ];
  const text = files
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, "utf8").replace(/^\s*#.*$/gm, ""))
    .join("\n");
  const mirror = /\b(https?:\/\/\S+\/debian)\/?(?=\s)/.exec(text)?.[1];
  if (!mirror) throw new UserError("no Debian archive in /etc/apt: add Debian's main archive to the apt sources.");
  return mirror;
}
