/**
 * A pod with memcached clients in it, as applications have them: pymemcache in one container and Node in the other. It has fewer `ndots`
 * than usual, a common tuning, with which a name of two dots is looked for as it is and not in the search list.
 */
import type { SrvRecord } from "node:dns";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { importImage } from "../../../cluster/images/archive";
import { pymemcacheImage } from "./pymemcache";
import type { TestCluster } from "../../support/testCluster";

const POD = "clients";

/** Containers that wait, and end at once when they are told to. */
const WAIT = {
  python: ["/usr/bin/python3", "-c", "import signal; signal.sigwait({signal.SIGTERM})"],
  node: ["node", "-e", "process.on('SIGTERM', () => process.exit()); setInterval(() => {}, 60_000)"],
};

const REMOVE = "import os, sys\nfor file in sys.argv[1:]:\n  if os.path.exists(file): os.remove(file)";
const AWAIT_FILE = `import os, sys, time
for _ in range(300):
  if os.path.exists(sys.argv[1]): sys.exit()
  time.sleep(0.1)
sys.exit("waited 30 s for " + sys.argv[1])`;

export class Clients {
  private constructor(
    private readonly cluster: TestCluster,
    private readonly namespace: string,
  ) {}

  /** Starts the pod in a namespace that is there, and waits for it. */
  static async start(cluster: TestCluster, namespace: string): Promise<Clients> {
    const python = await pymemcacheImage();
    await importImage(cluster.settings, python);
    const pod = podOf(namespace, { python: python.image, node: cluster.images.operator });
    await cluster.kubectlRun(["apply", "-f", "-"], JSON.stringify(pod));
    await cluster.kubectlRun(["wait", "--for=condition=Ready", "--timeout=60s", "-n", namespace, `pod/${POD}`]);
    return new Clients(cluster, namespace);
  }

  /** Runs a Python file of this folder in the pod, and gives what it prints. */
  python(file: string, ...args: string[]): Promise<string> {
    const script = readFileSync(join(__dirname, file), "utf8");
    return this.exec("python", [], ["/usr/bin/python3", "-c", script, ...args]);
  }

  /** Makes an empty file in the Python container. */
  async touch(file: string): Promise<void> {
    await this.exec("python", [], ["/usr/bin/python3", "-c", `open(${JSON.stringify(file)}, "w")`]);
  }

  /** Removes files, where they are, in the Python container. */
  async remove(...files: string[]): Promise<void> {
    await this.exec("python", [], ["/usr/bin/python3", "-c", REMOVE, ...files]);
  }

  /** Waits for a file in the Python container. */
  async awaitFile(file: string): Promise<void> {
    await this.exec("python", [], ["/usr/bin/python3", "-c", AWAIT_FILE, file]);
  }

  /** Runs memjsEach.ts in the pod: what each server gave back. */
  async memjsEach(servers: readonly string[]): Promise<Record<string, string>> {
    const entryPoints = [join(__dirname, "memjsEach.ts")];
    const bundle = await build({ entryPoints, bundle: true, platform: "node", write: false, logLevel: "error" });
    const script = `process.env.SERVERS = ${JSON.stringify(servers.join(" "))};\n${bundle.outputFiles[0]?.text}`;
    return JSON.parse(await this.exec("node", ["-i"], ["node", "-"], script)) as Record<string, string>;
  }

  /** What DNS itself, asked with no search list, answers to a name; the error's code when it has no answer. */
  resolve4(name: string): Promise<string[] | string> {
    return this.dns("resolve4", name);
  }

  resolveSrv(name: string): Promise<SrvRecord[] | string> {
    return this.dns("resolveSrv", name);
  }

  private async dns<T>(question: "resolve4" | "resolveSrv", name: string): Promise<T> {
    const answer = `require("dns").promises.${question}(${JSON.stringify(name)}).catch(({ code }) => code)`;
    const print = `${answer}.then((found) => process.stdout.write(JSON.stringify(found)))`;
    return JSON.parse(await this.exec("node", [], ["node", "-e", print])) as T;
  }

  private exec(container: string, flags: string[], command: string[], input?: string): Promise<string> {
    const args = ["exec", ...flags, "-n", this.namespace, POD, "-c", container, "--", ...command];
    return this.cluster.kubectlRun(args, input);
  }
}

function podOf(namespace: string, images: Record<keyof typeof WAIT, string>): object {
  const securityContext = {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ["ALL"] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 65534,
    seccompProfile: { type: "RuntimeDefault" },
  };
  const containers = (["python", "node"] as const).map((name) => ({
    name,
    image: images[name],
    imagePullPolicy: "Never",
    command: WAIT[name],
    securityContext,
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
  }));
  const spec = {
    automountServiceAccountToken: false,
    dnsConfig: { options: [{ name: "ndots", value: "2" }] },
    containers,
    volumes: [{ name: "tmp", emptyDir: {} }],
  };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: POD, namespace }, spec };
}
