/** Pulumi in tests: the real engine and provider, with a state folder of the test's own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pulumiEnvironment } from "../../cluster/pulumiHome";

export interface PulumiSandbox {
  /** Environment for `pulumi` and the Automation API, without a KUBECONFIG: add the test's own. */
  env: Record<string, string>;
  /** Folder for state and anything else; removed by `remove`. */
  dir: string;
  remove(): void;
}

/** Makes a sandbox. The tools must be built, or are built by the first call. */
export async function pulumiSandbox(): Promise<PulumiSandbox> {
  const dir = mkdtempSync(join(tmpdir(), "pulumi-test-"));
  const env = await pulumiEnvironment(join(dir, "state"));
  const known = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[0] !== "KUBECONFIG",
  );
  return { env: Object.fromEntries(known), dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}
