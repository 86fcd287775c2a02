/**
 * What the engine left of a stack on disk. The Automation API starts the CLI three times after each update to ask for it, which takes
 * longer than the update itself.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Stack, UpdateSummary } from "@pulumi/pulumi/automation";

/** What the state file says of a resource. Secrets are encrypted in it. */
export interface StateResource {
  urn: string;
  type: string;
  id?: string;
  parent?: string;
  dependencies?: string[];
  retainOnDelete?: boolean;
  customTimeouts?: { create?: number; update?: number; delete?: number };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the properties of any resource
  inputs: any;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  outputs: any;
}

/** The key of what is no plain value in a state: a secret, or an asset. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

export interface StoredStack {
  /** The state file's text. */
  text(): string;
  resources(): StateResource[];
}

/** Writes a stack without resources, as `pulumi stack init` does, into a new folder of states. */
export function writeEmptyStack(backendDir: string, project: string, stackName: string): void {
  const folder = join(backendDir, ".pulumi", "stacks", project);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(backendDir, ".pulumi", "meta.yaml"), "version: 1\n");
  const checkpoint = { stack: `organization/${project}/${stackName}` };
  writeFileSync(join(folder, `${stackName}.json`), JSON.stringify({ version: 3, checkpoint }));
}

/** The state of a stack in a folder of states. */
export function storedStack(backendDir: string, project: string, stackName: string): StoredStack {
  const text = () => readFileSync(join(backendDir, ".pulumi", "stacks", project, `${stackName}.json`), "utf8");
  return { text, resources: () => (JSON.parse(text()) as Checkpoint).checkpoint.latest?.resources ?? [] };
}

/** Makes a stack's updates take their outputs and summary from disk; outputs that hold a secret are still asked for. */
export function readsFromDisk(stack: Stack, backendDir: string, project: string): StoredStack {
  const stored = storedStack(backendDir, project, stack.name);
  const ask = stack.outputs.bind(stack);
  stack.outputs = async () => {
    const root = stored.resources().find(({ type }) => type === "pulumi:pulumi:Stack");
    const outputs = (root?.outputs ?? {}) as Record<string, unknown>;
    if (JSON.stringify(outputs).includes(SIGNATURE)) return ask();
    return Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, { value, secret: false }]));
  };
  const history = join(backendDir, ".pulumi", "history", project, stack.name);
  stack.info = () => {
    // Their names end in the time of the update, in nanoseconds.
    const newest = readdirSync(history)
      .filter((file) => file.endsWith(".history.json"))
      .sort()
      .at(-1);
    return Promise.resolve(
      newest ? (JSON.parse(readFileSync(join(history, newest), "utf8")) as UpdateSummary) : undefined,
    );
  };
  return stored;
}

interface Checkpoint {
  checkpoint: { latest?: { resources?: StateResource[] } };
}
