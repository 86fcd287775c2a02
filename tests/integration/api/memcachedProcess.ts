import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { freePorts } from "../../../cluster/ports";
import { memcachedArgs } from "../../../operator/memcached/args";
import { type MemcachedSpec, withDefaults } from "../../../api";
import { until } from "../../support/until";

/** What became of a memcached: its settings as it tells them, or the end it came to. */
export type Outcome = { settings: Map<string, string> } | { exit: string };

/** memcached will not run as root unless asked to; Debian's nobody can. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** One request, and the answer up to its last line; undefined while nothing listens. */
function statsSettings(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("stats settings\r\n"));
    socket.setTimeout(5_000, () => socket.destroy());
    socket.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk;
      if (text.endsWith("END\r\n")) socket.destroy();
    });
    socket.on("error", () => resolve(undefined)).on("close", () => resolve(text || undefined));
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Starts the machine's memcached as the operator would for the spec, asks it for its settings, and ends it. */
export async function tryMemcached(spec: MemcachedSpec): Promise<Outcome> {
  const [port] = (await freePorts(1)) as [number];
  const args = memcachedArgs(withDefaults({ ...spec, port }));
  const child = spawn("memcached", args, { cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"], ...nobody });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said = (said + chunk).slice(0, 500)));
  try {
    return await until(`memcached ${args.join(" ")} to listen or to end`, 10_000, async () => {
      if (child.exitCode !== null || child.signalCode !== null) return { exit: said };
      const answer = await statsSettings(port);
      if (answer === undefined) return undefined;
      return { settings: new Map([...answer.matchAll(/^STAT (\S+) (.*)\r$/gm)].map((m) => [m[1]!, m[2]!])) };
    });
  } finally {
    await end(child);
  }
}
