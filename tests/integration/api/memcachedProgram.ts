import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memcachedImage } from "../../../cluster/images/memcached";
import { run } from "../../../cluster/run";

/** A memcached to be started on this machine. */
export interface MemcachedProgram {
  /** The command, up to memcached's own arguments. */
  command: string[];
  remove(): void;
}

/** memcached as the image of the embedded clusters has it, with the libraries of that image. */
export async function memcachedProgram(): Promise<MemcachedProgram> {
  const { file } = await memcachedImage();
  const folder = mkdtempSync(join(tmpdir(), "memcached-"));
  const root = join(folder, "root");
  chmodSync(folder, 0o755);
  mkdirSync(root);
  await run("tar", ["--extract", "--file", file, "--directory", folder]);
  const [image] = JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8")) as { Layers: string[] }[];
  for (const layer of image!.Layers)
    await run("tar", ["--extract", "--file", join(folder, layer), "--directory", root]);
  const find = (pattern: RegExp) =>
    join(
      root,
      readdirSync(root, { recursive: true })
        .map(String)
        .find((path) => pattern.test(path))!,
    );
  return {
    command: [find(/\/ld-linux[^/]*$/), "--library-path", join(find(/\/libc\.so\.6$/), ".."), find(/bin\/memcached$/)],
    remove: () => rmSync(folder, { recursive: true }),
  };
}
