/** Stacks whose programs are files of another language, on the real engine. */
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { Stack } from "@pulumi/pulumi/automation";
import { ensureTools } from "../../../cluster/toolCache";
import { stackSecrets } from "../../support/keyService";
import { pulumiSandbox } from "../../support/pulumi";
import type { PulumiSandbox } from "../../support/pulumi";
import { readsFromDisk } from "../../support/storedStack";
import type { StateResource } from "../../support/storedStack";

export interface ProgramStack {
  stack: Stack;
  sandbox: PulumiSandbox;
  /** Replaces a file of the program. */
  write(name: string, text: string): void;
  resources(): StateResource[];
}

/** An executable plugin and its version. */
interface Plugin {
  program: string;
  version: string;
}

/**
 * A stack of the program that these files are, Pulumi.yaml among them. Its engine has a home of its own, where the
 * plugin lies as the documentation says to install it, and finds the hosts of YAML and Python on PATH.
 */
export async function programStack(
  files: Record<string, string>,
  env: Record<string, string>,
  plugin?: Plugin,
): Promise<ProgramStack> {
  const sandbox = await pulumiSandbox();
  const workDir = sandbox.workDir();
  const write = (name: string, text: string) => writeFileSync(join(workDir, name), text);
  for (const [name, text] of Object.entries(files)) write(name, text);
  const hosts = await ensureTools(["pulumi-language-yaml", "pulumi-language-python"]);
  const folders = [hosts["pulumi-language-yaml"], hosts["pulumi-language-python"]].map((path) => dirname(path));
  const path = [env.PATH, sandbox.env.PATH, ...folders].filter(Boolean).join(delimiter);
  const home = plugin ? homeWith(sandbox, plugin) : sandbox.env.PULUMI_HOME!;
  const envVars = { ...sandbox.env, ...env, PATH: path, PULUMI_HOME: home };
  const { secretsProvider } = stackSecrets;
  const workspace = { envVars, pulumiCommand: sandbox.command, secretsProvider };
  const stack = await LocalWorkspace.createStack({ stackName: "test", workDir }, workspace);
  const { resources } = readsFromDisk(stack, sandbox.backendDir, "test");
  return { stack, sandbox, write, resources };
}

/** A home with the engine's own plugins and this one. Their folders are real ones: links to folders are not looked into. */
function homeWith(sandbox: PulumiSandbox, { program, version }: Plugin): string {
  const home = join(sandbox.dir, "home");
  const own = join(sandbox.env.PULUMI_HOME!, "plugins");
  const programs = readdirSync(own).flatMap((folder) =>
    readdirSync(join(own, folder)).map((file) => [folder, join(own, folder, file)] as const),
  );
  for (const [folder, file] of [...programs, [`resource-memcached-v${version}`, program] as const]) {
    mkdirSync(join(home, "plugins", folder), { recursive: true });
    symlinkSync(file, join(home, "plugins", folder, basename(file)));
  }
  return home;
}
