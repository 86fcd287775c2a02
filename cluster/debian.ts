/** What comes from Debian's packages: looked for first, installed when we may, else asked for in one line. */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "./errors";
import { withLock } from "./lock";
import { cacheDir } from "./paths";
import { step } from "./report";
import { run, which } from "./run";

/** A program and the Debian package that has it; `file` where it is not on PATH. */
interface Program {
  name: string;
  package: string;
  file?: string;
}

export const nodePrograms: readonly Program[] = [
  { name: "containerd", package: "containerd" },
  { name: "ctr", package: "containerd" },
  { name: "runc", package: "runc" },
  { name: "bridge", package: "containernetworking-plugins", file: "/usr/lib/cni/bridge" },
  { name: "iptables", package: "iptables" },
  { name: "conntrack", package: "conntrack" },
  { name: "ip", package: "iproute2" },
  { name: "nsenter", package: "util-linux" },
  { name: "mount", package: "mount" },
];

export const imagePrograms: readonly Program[] = [{ name: "buildah", package: "buildah" }];

/** Installs the packages of missing programs as root; otherwise fails with the command to run. */
export async function ensurePrograms(programs: readonly Program[]): Promise<void> {
  const missing = missingOf(programs);
  if (missing.length === 0) return;
  refuseUnlessInstallable(missing);
  mkdirSync(cacheDir(), { recursive: true });
  // apt-get waits for no other; who comes second may find all of it there.
  await withLock(join(cacheDir(), "apt.lock"), "another installation of Debian packages", async () => {
    const packages = packagesOf(missingOf(missing));
    if (packages.length === 0) return;
    await step(`installing ${packages.join(", ")}`, () => withoutServices(() => install(packages)));
  });
}

const missingOf = (programs: readonly Program[]) =>
  programs.filter((program) => !(program.file ? existsSync(program.file) : which(program.name)));

const packagesOf = (programs: readonly Program[]) => [...new Set(programs.map((program) => program.package))];

function refuseUnlessInstallable(missing: readonly Program[]): void {
  const what = `${missing.map(({ name }) => name).join(", ")} not found`;
  const packages = packagesOf(missing).join(" ");
  if (process.getuid?.() !== 0)
    throw new UserError(`${what}: run "sudo apt-get install --no-install-recommends ${packages}" and start again.`);
  if (!which("apt-get")) throw new UserError(`${what}, and this is no Debian: install what Debian has as ${packages}.`);
}

async function install(packages: string[]): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["-qq", "update"], { env });
  await run("apt-get", ["-qq", "-y", "install", "--no-install-recommends", ...packages], { env });
}

/** Debian starts the services of what it installs; we want the programs alone, so the hook that decides says no. */
async function withoutServices(work: () => Promise<void>): Promise<void> {
  const hook = "/usr/sbin/policy-rc.d";
  const ours = !existsSync(hook);
  if (ours) writeFileSync(hook, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    await work();
  } finally {
    if (ours) rmSync(hook, { force: true });
  }
}
