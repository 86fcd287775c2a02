import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { freePorts } from "../../../cluster/ports";
import { memcachedArgs } from "../../../operator/memcached/fields/args";
import { type MemcachedSpec, withDefaults } from "../../../api";
import { waitFor } from "../../../cluster/wait";
import type { MemcachedProgram } from "./memcachedProgram";

/** What became of a memcached: its settings as it tells them, the end it came to, or that it listens and answers nobody. */
export type Outcome = { settings: Settings } | { exit: string } | { mute: true };

/** memcached will not run as root unless asked to; Debian's nobody can. */
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

/** One request, and all of the answer; nothing at all from a server that stays mute, undefined while none listens. */
function ask(port: number, request: Buffer, isAll: (answer: Buffer) => boolean): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    let answer = Buffer.alloc(0);
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    socket.setTimeout(5_000, () => {
      resolve(answer);
      socket.destroy();
    });
    socket.on("data", (chunk) => {
      answer = Buffer.concat([answer, chunk]);
      if (isAll(answer)) socket.destroy();
    });
    socket.on("error", () => resolve(undefined)).on("close", () => resolve(answer.length > 0 ? answer : undefined));
  });
}

type Settings = Map<string, string>;

async function textSettings(port: number): Promise<Settings | undefined> {
  const answer = await ask(
    port,
    Buffer.from("stats settings\r\n"),
    (bytes) => bytes.subarray(-5).toString() === "END\r\n",
  );
  return answer && new Map([...answer.toString().matchAll(/^STAT (\S+) (.*)\r$/gm)].map((m) => [m[1]!, m[2]!]));
}

/** Names and values, each pair in a packet with a header of 24 bytes; the last has neither. */
async function binarySettings(port: number): Promise<Settings | undefined> {
  const pairs = (bytes: Buffer): [string, string][] => {
    const found: [string, string][] = [];
    for (let at = 0; at + 24 <= bytes.length;) {
      const [key, body] = [bytes.readUInt16BE(at + 2), bytes.readUInt32BE(at + 8)];
      const text = bytes.subarray(at + 24, at + 24 + body).toString();
      found.push([text.slice(0, key), text.slice(key)]);
      at += 24 + body;
    }
    return found;
  };
  const request = Buffer.concat([Buffer.alloc(24), Buffer.from("settings")]);
  request.writeUInt16BE(0x8010, 0);
  request.writeUInt16BE(8, 2);
  request.writeUInt32BE(8, 8);
  const answer = await ask(port, request, (bytes) => pairs(bytes).at(-1)?.[0] === "");
  return answer && new Map(pairs(answer));
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

/** Starts memcached as the operator would for the spec, asks it for its settings, and ends it. */
export function tryMemcached(program: MemcachedProgram, spec: MemcachedSpec): Promise<Outcome> {
  return withMemcached(program, spec, (outcome) => Promise.resolve(outcome));
}

/** The same, with something done before it ends. */
export async function withMemcached<T>(
  { command }: MemcachedProgram,
  spec: MemcachedSpec,
  use: (outcome: Outcome, port: number) => Promise<T>,
): Promise<T> {
  const [port] = (await freePorts(1)) as [number];
  const args = memcachedArgs(withDefaults({ ...spec, port }));
  const binary = args.some((word) => word.endsWith("binary"));
  const [program, ...before] = command as [string, ...string[]];
  const child = spawn(program, [...before, ...args], { cwd: tmpdir(), stdio: ["ignore", "ignore", "pipe"], ...nobody });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => (said = (said + chunk).slice(0, 500)));
  try {
    const awaited = `memcached ${args.join(" ")} to listen or to end`;
    const outcome = await waitFor<Outcome>(awaited, { limitMs: 10_000, everyMs: 10 }, async () => {
      if (child.exitCode !== null || child.signalCode !== null) return { exit: said };
      const settings = await (binary ? binarySettings(port) : textSettings(port));
      return settings && (settings.size > 0 ? { settings } : { mute: true });
    });
    return await use(outcome, port);
  } finally {
    await end(child);
  }
}

/** Writes one value over a connection of its own, its last byte once `isTime` has come; gives memcached's answer. */
export async function store(port: number, key: string, bytes: number, isTime: () => Promise<void>): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const answer = new Promise<string>((resolve, reject) => {
    socket.setEncoding("latin1").once("data", (text: string) => resolve(text.trim()));
    socket.once("error", reject).once("close", () => reject(new Error("memcached closed the connection")));
  });
  // Whatever is said before the end of the value is what is told.
  answer.catch(() => undefined);
  socket.write(`set ${key} 0 0 ${bytes}\r\n`);
  const taken = new Promise<void>((resolve) => socket.write(Buffer.alloc(bytes - 1, "v"), () => resolve()));
  await Promise.race([taken, answer]);
  await isTime();
  socket.write("v\r\n");
  try {
    return await answer;
  } finally {
    socket.destroy();
  }
}
