/** Stacks of tests: inline programs on the real engine, each with a state of its own. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { Provider } from "@pulumi/kubernetes/provider";
import { pulumiSandbox } from "../../support/pulumi";

/** What the state file says of a resource. */
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

export interface TestStack {
  stack: Stack;
  up(program?: Program): ReturnType<Stack["up"]>;
  /** Previews and gives how many resources each operation touches: `{ same: 20 }`. */
  preview(program?: Program): Promise<Record<string, number>>;
  /** Previews and gives all of what Pulumi says. */
  previewed(program?: Program): ReturnType<Stack["preview"]>;
  /** Fails unless neither a preview nor a refresh finds a change. */
  noChanges(): Promise<void>;
  destroy(): Promise<void>;
  resources(): Promise<StateResource[]>;
  /** The one resource of that Pulumi name and type, such as `v1:Memcached` for the resource and `index:Memcached`
   * for its component. */
  resource(type: string, name: string): Promise<StateResource>;
  /** What the last `up` or `destroy` printed so far. */
  log(): string;
  /** The state as it lies on disk, where secrets are encrypted. */
  stored(): string;
  /** Removes what the stack is kept in; what it made in a cluster stays. */
  remove(): void;
}

export type Program = (provider: Provider) => Record<string, unknown> | void;

/** Makes a stack whose provider uses this kubeconfig. */
export async function newStack(kubeconfig: string, program: Program): Promise<TestStack> {
  const sandbox = await pulumiSandbox();
  process.env.PATH = sandbox.env.PATH;
  const inline =
    (body: Program): PulumiFn =>
    async () =>
      body(new Provider("cluster", { kubeconfig })) ?? {};
  const stack = await LocalWorkspace.createOrSelectStack(
    { stackName: "test", projectName: "test", program: inline(program) },
    { envVars: { ...sandbox.env, KUBECONFIG: kubeconfig, PULUMI_ERROR_OUTPUT_STRING: "true" } },
  );
  let log = "";
  const onOutput = (text: string) => void (log += text);
  const resources = async () => ((await stack.exportStack()).deployment.resources ?? []) as StateResource[];
  const use = (next?: Program) => {
    if (next) stack.workspace.program = inline(next);
  };
  return {
    stack,
    up: (next) => {
      use(next);
      log = "";
      return stack.up({ onOutput });
    },
    preview: async (next) => {
      use(next);
      return (await stack.preview()).changeSummary as Record<string, number>;
    },
    previewed: (next) => {
      use(next);
      return stack.preview();
    },
    noChanges: async () => {
      await stack.preview({ expectNoChanges: true });
      await stack.refresh({ expectNoChanges: true });
    },
    destroy: async () => {
      log = "";
      await stack.destroy({ onOutput });
    },
    resources,
    resource: async (type, name) => {
      const found = (await resources()).filter(
        (r) => [`:${type}`, `/${type}`].some((end) => r.type.endsWith(end)) && r.urn.endsWith(`::${name}`),
      );
      if (found.length !== 1) throw new Error(`${found.length} resources of type ${type} and name ${name}`);
      return found[0]!;
    },
    log: () => log,
    stored: () => readFileSync(join(sandbox.dir, "state", ".pulumi", "stacks", "test", "test.json"), "utf8"),
    remove: () => sandbox.remove(),
  };
}
