/** Stacks of tests: inline programs on the real engine, each with a state of its own. */
import assert from "node:assert/strict";
import { LocalWorkspace, Stack } from "@pulumi/pulumi/automation";
import type { EngineEvent, PreviewOptions, PulumiFn, UpOptions } from "@pulumi/pulumi/automation";
import { Provider } from "@pulumi/kubernetes/provider";
import { stackSecrets } from "./keyService";
import { pulumiSandbox } from "./pulumi";
import { readsFromDisk, writeEmptyStack } from "./storedStack";
import type { StateResource } from "./storedStack";

export interface TestStack {
  stack: Stack;
  up(program?: Program, options?: UpOptions): ReturnType<Stack["up"]>;
  /** Previews and gives how many resources each operation touches: `{ same: 20 }`. */
  preview(program?: Program): Promise<Record<string, number>>;
  /** Previews and gives all of what Pulumi says, each difference included. */
  previewed(program?: Program, options?: PreviewOptions): ReturnType<Stack["preview"]>;
  /** Fails when a preview finds a change, or the refresh before it, which is one run of the engine in place of two. */
  noChanges(): Promise<void>;
  destroy(): Promise<void>;
  resources(): StateResource[];
  /** The one resource of that Pulumi name and type, such as `v1:Memcached` for the resource and `index:Memcached`
   * for its component. */
  resource(type: string, name: string): StateResource;
  /** What the last `up` or `destroy` printed so far. */
  log(): string;
  /** The state as it lies on disk, where secrets are encrypted. */
  stored(): string;
  /** Removes what the stack is kept in; what it made in a cluster stays. */
  remove(): void;
}

export type Program = (provider: Provider) => Record<string, unknown> | void;

/** Makes a stack whose provider uses this kubeconfig. Stacks of one name are one to everyone but their states. */
export async function newStack(kubeconfig: string, program: Program, stackName = "test"): Promise<TestStack> {
  const sandbox = await pulumiSandbox();
  const inline =
    (body: Program): PulumiFn =>
    async () =>
      body(new Provider("cluster", { kubeconfig })) ?? {};
  writeEmptyStack(sandbox.backendDir, "test", stackName);
  const workspace = await LocalWorkspace.create({
    projectSettings: { name: "test", runtime: "nodejs", main: process.cwd() },
    stackSettings: { [stackName]: stackSecrets },
    program: inline(program),
    envVars: { ...sandbox.env, KUBECONFIG: kubeconfig, PULUMI_ERROR_OUTPUT_STRING: "true" },
    pulumiCommand: sandbox.command,
    workDir: sandbox.workDir(),
  });
  // Every command names its stack: what this would run writes down which one is meant without a name.
  workspace.selectStack = () => Promise.resolve();
  const stack = await Stack.select(stackName, workspace);
  const { resources, text } = readsFromDisk(stack, sandbox.backendDir, "test");
  let log = "";
  const onOutput = (text: string) => void (log += text);
  const use = (next?: Program) => {
    if (next) stack.workspace.program = inline(next);
  };
  return {
    stack,
    up: (next, options) => {
      use(next);
      log = "";
      return stack.up({ ...options, onOutput });
    },
    preview: async (next) => {
      use(next);
      return (await stack.preview()).changeSummary as Record<string, number>;
    },
    previewed: (next, options) => {
      use(next);
      return stack.preview({ diff: true, ...options });
    },
    noChanges: async () => {
      const drifted: string[] = [];
      const onEvent = ({ resOutputsEvent }: EngineEvent) => {
        const step = resOutputsEvent?.metadata;
        if (step?.op === "refresh" && (!step.new || Object.keys(step.detailedDiff ?? {}).length > 0))
          drifted.push(step.urn);
      };
      await stack.preview({ expectNoChanges: true, refresh: true, onEvent });
      assert.deepEqual(drifted, [], "a refresh finds changes");
    },
    destroy: async () => {
      log = "";
      await stack.destroy({ onOutput });
    },
    resources,
    resource: (type, name) => {
      const found = resources().filter(
        (r) => [`:${type}`, `/${type}`].some((end) => r.type.endsWith(end)) && r.urn.endsWith(`::${name}`),
      );
      if (found.length !== 1) throw new Error(`${found.length} resources of type ${type} and name ${name}`);
      return found[0]!;
    },
    log: () => log,
    stored: text,
    remove: () => sandbox.remove(),
  };
}
