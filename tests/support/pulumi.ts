/** Pulumi in tests: the real engine and provider, with a state folder of the test's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";
import * as settings from "@pulumi/pulumi/runtime/settings";
import { cacheDir } from "../../cluster/paths";
import { pulumiEnvironment } from "../../cluster/pulumiHome";
import { keyService } from "./keyService";

export interface PulumiSandbox {
  /** Environment for `pulumi` and the Automation API, without a KUBECONFIG: add the test's own. */
  env: Record<string, string>;
  /** Folder for state and anything else; removed by `remove`. */
  dir: string;
  /** The folder of state in it. */
  backendDir: string;
  /** Makes a folder in it for a workspace of the Automation API, which would make one that it leaves behind. */
  workDir(): string;
  /** The engine's program, for the Automation API. */
  command: PulumiCommand;
  remove(): void;
}

/** Compiled JavaScript that is kept takes a third off the start of plugins; copies of state files are of no use to a stack of a test. */
const frugal = (temporary: string) => ({
  // Engine and provider leave files behind there.
  TMPDIR: temporary,
  NODE_COMPILE_CACHE: join(cacheDir(), "node-compile-cache"),
  PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "true",
  // An update writes its state once, at its end, in place of twice for each resource.
  PULUMI_EXPERIMENTAL: "true",
  PULUMI_SKIP_CHECKPOINTS: "true",
});

/*
 * A new engine may get the port of one that has just ended, and gRPC would hand a program in this process that one's broken connection: "14
 * UNAVAILABLE: No connection established". With a pool for each client it makes a new one.
 */
const { grpcClientOptions } = settings as unknown as { grpcClientOptions: Record<string, unknown> };
grpcClientOptions["grpc.use_local_subchannel_pool"] = 1;

/** Asked for its version once a run. */
const commands = new Map<string, Promise<PulumiCommand>>();

/** Makes a sandbox. The tools must be built, or are built by the first call. */
export async function pulumiSandbox(): Promise<PulumiSandbox> {
  const dir = mkdtempSync(join(tmpdir(), "pulumi-test-"));
  const backendDir = join(dir, "state");
  const env = await pulumiEnvironment(backendDir);
  const known = Object.entries({ ...env, ...frugal(dir), ...(await keyService()) }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== "KUBECONFIG",
  );
  const home = env.PULUMI_HOME!;
  const command = commands.get(home) ?? PulumiCommand.get({ root: home });
  commands.set(home, command);
  return {
    env: Object.fromEntries(known),
    dir,
    backendDir,
    workDir: () => mkdtempSync(join(dir, "work-")),
    command: await command,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
