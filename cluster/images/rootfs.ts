/** Root file systems of one program: itself and the libraries it loads, nothing else. */
import { copyFileSync, mkdirSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../run";

/**
 * Copies a program and the libraries it names into `folder`. `root` is the file system it comes from: this machine's,
 * or a folder with another distribution's.
 */
export async function copyProgram(program: string, target: string, folder: string, root = "/"): Promise<void> {
  place(join(root, program), join(folder, target));
  for (const library of await libraries(program, root)) place(join(root, library), join(folder, library));
}

/** The libraries that the dynamic loader finds for a program, the loader included. */
async function libraries(program: string, root: string): Promise<string[]> {
  const listing =
    root === "/" ? await run("ldd", [program]) : await run("chroot", [root, loader(program, root), "--list", program]);
  return [...listing.matchAll(/(?:=> )?(\/\S+) \(0x/g)].map((match) => match[1] as string);
}

/** The loader that an ELF file asks for: its path stands in the first pages of the file. */
function loader(program: string, root: string): string {
  const found = /\/lib[\w/.-]*\/ld-[\w.-]+/.exec(readFileSync(join(root, program)).toString("latin1", 0, 8192))?.[0];
  if (!found) throw new Error(`${program} names no dynamic loader`);
  return found;
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(realpathSync(from), to);
}
