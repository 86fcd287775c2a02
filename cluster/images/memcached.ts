/** A memcached image from Debian's packages, under a name of its own: it is not the official image and does not say so. */
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../folders";
import { step } from "../report";
import { archiveFile, writeArchive, type ImageArchive } from "./archive";
import { imageFromFolder } from "./buildah";
import { unpackPackage } from "./debianPackages";
import { copyProgram } from "./rootfs";
import { writeUsers } from "./users";

/** The user id of the official image. */
const MEMCACHE_UID = 11211;

/** Debian's unstable release has memcached's current one. */
const SUITE = "sid";

/** Part of the key of what is cached: raise it to make the image anew. */
const RECIPE = "2";

/** What the image has beside memcached, as the official ones do: a shell, and what one expects to find next to it. */
const APPLETS = ["cat", "grep", "kill", "ls", "ps", "readlink", "sh", "sleep"];

/** Builds the image, unless that was done before. Its tag is the version of memcached in it. */
export async function memcachedImage(): Promise<ImageArchive> {
  const file = archiveFile("memcached", [SUITE, RECIPE, process.arch]);
  const nameFile = `${file}.name`;
  if (existsSync(file) && existsSync(nameFile)) return { image: readFileSync(nameFile, "utf8"), file };
  const make = async (work: string) => {
    const version = await unpackPackage("memcached", SUITE, join(work, "debian"));
    const folder = join(work, "image");
    mkdirSync(folder);
    await copyProgram("/usr/bin/memcached", "usr/bin/memcached", folder, join(work, "debian/root"));
    await unpackPackage("busybox-static", SUITE, join(work, "shell"));
    copyFileSync(join(work, "shell/root/usr/bin/busybox"), join(folder, "usr/bin/busybox"));
    mkdirSync(join(folder, "bin"), { recursive: true });
    for (const applet of APPLETS) symlinkSync("/usr/bin/busybox", join(folder, "bin", applet));
    writeUsers(folder, "memcache", MEMCACHE_UID);
    const archive = { image: `localhost/memcached-debian:${version}`, file };
    await imageFromFolder(archive.image, folder, { entrypoint: "/usr/bin/memcached", user: MEMCACHE_UID, port: 11211 });
    await writeArchive(archive);
    writeFileSync(nameFile, archive.image);
    return archive;
  };
  return step("making a memcached image from Debian's packages", () => inFolder("memcached-image", make));
}
