/** `/etc/passwd` and `/etc/group` of images that run as one numeric user. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Writes both files into an image's folder, with root and the user. */
export function writeUsers(folder: string, name: string, id: number): void {
  mkdirSync(join(folder, "etc"), { recursive: true });
  writeFileSync(join(folder, "etc/passwd"), `root:x:0:0::/:/bin/false\n${name}:x:${id}:${id}::/:/bin/false\n`);
  writeFileSync(join(folder, "etc/group"), `root:x:0:\n${name}:x:${id}:\n`);
}
