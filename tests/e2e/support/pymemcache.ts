/** An image with Python and pymemcache, from Debian's packages: memcached clients for pods of the tests. */
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../../../cluster/folders";
import { step } from "../../../cluster/report";
import { run } from "../../../cluster/run";
import { archiveFile, writeArchive, type ImageArchive } from "../../../cluster/images/archive";
import { imageFromFolder } from "../../../cluster/images/buildah";
import { unpackPackage } from "../../../cluster/images/debianPackages";

const IMAGE = "localhost/pymemcache-debian:e2e";

const NOBODY = 65534;

const SUITE = "bookworm";

/** Part of the key of what is cached: raise it to make the image anew. */
const RECIPE = "1";

/** What the clients import: importing it once leaves it compiled, which the read-only root of a pod cannot. */
const IMPORTS =
  "import collections, json, os, pymemcache.client.base, pymemcache.client.hash, socket, ssl, sys, threading, time";

/** Builds the image, unless that was done before. */
export async function pymemcacheImage(): Promise<ImageArchive> {
  const archive = { image: IMAGE, file: archiveFile("pymemcache", [SUITE, RECIPE, IMPORTS, process.arch]) };
  if (existsSync(archive.file)) return archive;
  const make = async (work: string) => {
    await unpackPackage("python3-pymemcache", SUITE, work);
    const root = join(work, "root");
    rmSync(join(root, "usr/share"), { recursive: true });
    await run("chroot", [root, "/usr/bin/python3", "-c", IMPORTS]);
    await imageFromFolder(IMAGE, root, { entrypoint: "/usr/bin/python3", user: NOBODY });
    return writeArchive(archive);
  };
  return step("making a pymemcache image from Debian's packages", () => inFolder("pymemcache-image", make));
}
