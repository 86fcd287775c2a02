/** Images as files: written once under a key of what is in them, and taken into a cluster's containerd. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../folders";
import { containerdSocket } from "../nodeConfig";
import { cacheDir } from "../paths";
import { run } from "../run";
import type { ClusterSettings } from "../settings";
import { buildah } from "./buildah";

export interface ImageArchive {
  /** The reference that pods use. */
  image: string;
  /** A docker-archive file. */
  file: string;
}

/** Path of the archive for an image with these contents. */
export function archiveFile(name: string, contents: readonly (string | Buffer)[]): string {
  const hash = createHash("sha256");
  for (const part of contents) hash.update(part).update("\0");
  return join(cacheDir(), "images", `${name}-${hash.digest("hex").slice(0, 16)}.tar`);
}

/** Writes an image of buildah's store to an archive, whole or not at all, and gives the archive. */
export async function writeArchive(archive: ImageArchive): Promise<ImageArchive> {
  mkdirSync(join(archive.file, ".."), { recursive: true });
  const unfinished = `${archive.file}.unfinished`;
  rmSync(unfinished, { force: true });
  await buildah("push", "--quiet", archive.image, `docker-archive:${unfinished}:${archive.image}`);
  renameSync(unfinished, archive.file);
  return archive;
}

/** Takes an image of buildah's store into a cluster, by an archive that does not stay. */
export async function loadImage(settings: ClusterSettings, image: string): Promise<void> {
  await inFolder("image", async (folder) =>
    importImage(settings, await writeArchive({ image, file: join(folder, "image.tar") })),
  );
}

/** Imports an archive into a cluster, unless its containerd has the image already. */
export async function importImage(settings: ClusterSettings, { image, file }: ImageArchive): Promise<void> {
  if (!(await hasImage(settings, image)) && existsSync(file)) await images(settings, "import", file);
}

/** Whether a cluster's containerd has an image under this very reference. */
export async function hasImage(settings: ClusterSettings, image: string): Promise<boolean> {
  return (await images(settings, "list", "--quiet")).split("\n").includes(image);
}

const images = (settings: ClusterSettings, ...args: string[]): Promise<string> =>
  run("ctr", ["--address", containerdSocket(settings), "--namespace", "k8s.io", "images", ...args]);
