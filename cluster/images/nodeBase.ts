/** A base image with nothing but Node: for building the operator's image where no registry answers. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { inFolder } from "../folders";
import { buildah, imageFromFolder } from "./buildah";
import { copyProgram } from "./rootfs";
import { writeUsers } from "./users";

const NONROOT = 65532;

/** Makes the image from the Node that runs this script, unless it is there, and gives its reference. */
export async function nodeBaseImage(): Promise<string> {
  const hash = createHash("sha256").update(readFileSync(process.execPath)).digest("hex").slice(0, 12);
  const image = `localhost/memcached-operator-node:${process.versions.node}-${hash}`;
  if ((await buildah("images", "--format", "{{.Name}}:{{.Tag}}")).split("\n").includes(image)) return image;
  await inFolder("node-image", async (folder) => {
    await copyProgram(process.execPath, "usr/local/bin/node", folder);
    writeUsers(folder, "nonroot", NONROOT);
    await imageFromFolder(image, folder, { entrypoint: "/usr/local/bin/node", user: NONROOT });
  });
  return image;
}
