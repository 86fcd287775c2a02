import { spawn } from "node:child_process";

/** A kubeconfig's `user.exec`. */
export interface ExecConfig {
  apiVersion?: string;
  command?: string;
  args?: string[] | null;
  env?: { name: string; value: string }[] | null;
  installHint?: string;
  interactiveMode?: string;
  provideClusterInfo?: boolean;
}

/** What a plugin gives: a token, a client certificate with its key, or both. */
export interface ExecStatus {
  token?: string;
  clientCertificateData?: string;
  clientKeyData?: string;
  expirationTimestamp?: string;
}

const group = "client.authentication.k8s.io";
const versions = [`${group}/v1`, `${group}/v1beta1`];
/** The name under which a cluster's extensions hold what is meant for its plugin. */
export const clusterExtension = `${group}/exec`;
/** Plugins ask over the network; one that waits for a person waits for ever. */
const defaultLimitMs = 60_000;
const maxTold = 1_000;

/** Throws a sentence of what cannot be followed in `exec`. */
export function checkExec(exec: ExecConfig, where: string): void {
  const { apiVersion = "", command, interactiveMode } = exec;
  if (!command) throw new Error(`${where}: exec.command is not set`);
  if (!versions.includes(apiVersion)) {
    throw new Error(`${where}: exec.apiVersion "${apiVersion}" is not supported; use ${versions.join(" or ")}`);
  }
  if (interactiveMode === "Always") {
    throw new Error(
      `${where}: exec plugin "${command}" has interactiveMode Always, but nobody is there to answer it; ` +
        "use IfAvailable or Never if it can do without",
    );
  }
}

/**
 * Runs a plugin once, after client-go's exec authenticator. It finds in KUBERNETES_EXEC_INFO that nobody can be asked, and `cluster` when it is
 * given; its standard input is empty. Rejects with one line: how it failed with what it wrote to standard error, or that it was ended after
 * `limitMs`.
 */
export async function runPlugin(
  exec: ExecConfig,
  cluster: object | undefined,
  limitMs = defaultLimitMs,
): Promise<ExecStatus> {
  const { apiVersion, command = "", env } = exec;
  const info = { apiVersion, kind: "ExecCredential", spec: { ...(cluster && { cluster }), interactive: false } };
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const variables = { ...process.env, ...own, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  try {
    return statusOf(await output(command, exec.args ?? [], variables, limitMs), apiVersion);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const hint = exec.installHint ? `: ${exec.installHint}` : "";
    const what = code === "ENOENT" ? `was not found${hint}` : message;
    throw new Error(oneLine(`exec plugin "${command}" ${what}`), { cause: error });
  }
}

function output(command: string, args: string[], env: NodeJS.ProcessEnv, limitMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    // In a group of its own, so that what it has started ends with it.
    const child = spawn(command, args, { env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let answer = "";
    let told = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (answer += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (told = (told + text).slice(-maxTold)));
    const words = () => (told.trim() === "" ? "" : `: ${told}`);
    const limit = setTimeout(() => {
      if (child.pid !== undefined) killGroup(child.pid);
      reject(new Error(`did not end within ${limitMs / 1000} s${words()}`));
    }, limitMs);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      clearTimeout(limit);
      if (code === 0) return resolve(answer);
      reject(new Error(`failed with ${code === null ? signal : `exit code ${code}`}${words()}`));
    });
  });
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

function statusOf(text: string, apiVersion: string | undefined): ExecStatus {
  let answer: { apiVersion?: string; kind?: string; status?: ExecStatus } | null;
  try {
    answer = JSON.parse(text) as typeof answer;
  } catch {
    throw new Error("gave no JSON");
  }
  if (answer?.kind !== "ExecCredential")
    throw new Error(`gave a ${answer?.kind ?? "nameless object"}, not an ExecCredential`);
  if (answer.apiVersion !== apiVersion) {
    throw new Error(`answered in ${answer.apiVersion}, but the kubeconfig says ${apiVersion}`);
  }
  const { status } = answer;
  if (!status?.token && !status?.clientCertificateData)
    throw new Error("gave neither a token nor a client certificate");
  if (!status.clientCertificateData !== !status.clientKeyData) {
    throw new Error("gave only one of a client certificate and its key");
  }
  const { expirationTimestamp: expires } = status;
  if (expires && Number.isNaN(Date.parse(expires)))
    throw new Error(`gave expirationTimestamp ${expires}, which is no time`);
  return status;
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();
