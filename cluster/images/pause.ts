/** The image of a pod's sandbox: one static program that waits. */
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../folders";
import { SANDBOX_IMAGE } from "../nodeConfig";
import { archiveFile, writeArchive, type ImageArchive } from "./archive";
import { imageFromFolder } from "./buildah";

/** Builds the image from the built `pause`, unless that was done before. */
export async function pauseImage(pause: string): Promise<ImageArchive> {
  const archive = { image: SANDBOX_IMAGE, file: archiveFile("pause", [readFileSync(pause)]) };
  if (existsSync(archive.file)) return archive;
  return inFolder("pause-image", async (folder) => {
    copyFileSync(pause, join(folder, "pause"));
    await imageFromFolder(SANDBOX_IMAGE, folder, { entrypoint: "/pause", user: 65535 });
    return writeArchive(archive);
  });
}
