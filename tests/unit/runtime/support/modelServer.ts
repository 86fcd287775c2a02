import { isDeepStrictEqual } from "node:util";
import { ApiError, TransportError } from "../../../../operator/runtime";
import type { KubeObject } from "../../../../operator/runtime";
import type { Reader } from "../../../../operator/runtime/http/transport";
import type { Widget } from "./objects";
import { widget } from "./objects";

interface Change {
  version: number;
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: Widget;
}

/** How the server treats watches at the moment. */
export type Mood = "well" | "down" | "empty" | "expired" | "forbidden" | "missing" | "error";

/** One kind on an API server, in memory: lists, watches with bookmarks, a history that can be compacted, and moods. */
export class ModelServer implements Reader {
  readonly objects = new Map<string, Widget>();
  readonly requests: string[] = [];
  mood: Mood = "well";
  /** Whether a streamed first list is answered, refused as an older server or one with a late watch cache does, or left without its end. */
  watchList: "yes" | "no" | "late" | "endless" = "yes";
  private history: Change[] = [];
  private compacted = 0;
  private nextUid = 0;
  private readonly streams = new Set<Stream>();
  /** While true, watches are behind: what happens is told later. */
  private paused = false;

  /** `revision` is the one counter of a whole API server. */
  constructor(private readonly revision = { current: 1 }) {}

  private get version(): number {
    return this.revision.current;
  }

  /** Creates or updates; returns the new state, as a write's answer would. */
  put(name: string, value: number): Widget {
    return this.write(name, { spec: { value } });
  }

  /** Merges `change` into an object, or makes it. A change of nothing writes nothing. */
  write(name: string, change: Partial<Pick<Widget, "spec" | "status">>): Widget {
    const old = this.objects.get(name);
    const uid = old?.metadata.uid ?? `uid-${this.nextUid++}`;
    const next: Widget = { ...(old ?? widget(name, 0)), ...change };
    if (old && isDeepStrictEqual([old.spec, old.status], [next.spec, next.status])) return structuredClone(old);
    const resourceVersion = String(++this.revision.current);
    return this.record(old ? "MODIFIED" : "ADDED", { ...next, metadata: { ...next.metadata, uid, resourceVersion } });
  }

  delete(name: string): Widget | undefined {
    const old = this.objects.get(name);
    if (!old) return undefined;
    const resourceVersion = String(++this.revision.current);
    return this.record("DELETED", { ...old, metadata: { ...old.metadata, resourceVersion } });
  }

  /** Forgets the history, so that no earlier watch can be resumed. */
  compact(): void {
    this.history = [];
    this.compacted = this.version;
  }

  /** Breaks every watch. */
  cut(): void {
    for (const stream of this.streams) stream.fail(new TransportError("ECONNRESET", "connection reset"));
  }

  /** Ends every watch as its timeout would. */
  close(): void {
    for (const stream of this.streams) stream.end();
  }

  /** Leaves every watch open without ever sending anything on it again. */
  silence(): void {
    for (const stream of this.streams) this.streams.delete(stream);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    for (const stream of this.streams) stream.wake();
  }

  bookmark(): void {
    for (const stream of this.streams) stream.send("BOOKMARK", bookmarkAt(this.version));
  }

  json({ path }: { path: string }): Promise<unknown> {
    this.requests.push(`LIST ${path}`);
    return Promise.resolve().then(() => {
      this.complain();
      return {
        kind: "WidgetList",
        apiVersion: "example.com/v1",
        metadata: { resourceVersion: String(this.version) },
        items: [...this.objects.values()].map((object) => structuredClone(object)),
      };
    });
  }

  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    this.requests.push(`WATCH ${path}`);
    return Promise.resolve().then(() => {
      this.complain();
      const query = new URLSearchParams(path.split("?")[1]);
      const initial = query.has("sendInitialEvents");
      if (initial && this.watchList === "no") {
        throw new ApiError(
          422,
          "Invalid",
          "sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
        );
      }
      const onEnd = () => this.streams.delete(stream);
      const stream: Stream = new Stream(signal, { onEnd, paused: () => this.paused });
      if (this.mood === "empty") {
        stream.end();
        return stream;
      }
      this.streams.add(stream);
      if (initial) this.sendInitial(stream);
      else this.replay(stream, Number(query.get("resourceVersion")));
      return stream;
    });
  }

  private sendInitial(stream: Stream): void {
    if (this.watchList === "late") {
      const message = "Timeout: Too large resource version: 7, current: 5";
      const details = { retryAfterSeconds: 1, causes: [{ reason: "ResourceVersionTooLarge", message }] };
      stream.send("ERROR", { kind: "Status", code: 504, reason: "Timeout", message, details });
      stream.end();
      return;
    }
    for (const object of this.objects.values()) stream.send("ADDED", object);
    if (this.watchList === "yes")
      stream.send("BOOKMARK", bookmarkAt(this.version, { "k8s.io/initial-events-end": "true" }));
  }

  private replay(stream: Stream, from: number): void {
    if (from < this.compacted || this.mood === "expired") {
      stream.send("ERROR", { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" });
      stream.end();
      return;
    }
    for (const change of this.history) if (change.version > from) stream.send(change.type, change.object);
  }

  private record(type: Change["type"], object: Widget): Widget {
    if (type === "DELETED") this.objects.delete(object.metadata.name);
    else this.objects.set(object.metadata.name, object);
    this.history.push({ version: this.version, type, object });
    for (const stream of this.streams) stream.send(type, object);
    return structuredClone(object);
  }

  private complain(): void {
    if (this.mood === "down") throw new TransportError("ECONNREFUSED", "connect ECONNREFUSED");
    if (this.mood === "error") throw new ApiError(500, "InternalError", "etcdserver: request timed out");
    if (this.mood === "forbidden") throw new ApiError(403, "Forbidden", "widgets is forbidden");
    if (this.mood === "missing")
      throw new ApiError(404, "NotFound", "the server could not find the requested resource");
  }
}

/** The body of one watch. */
class Stream implements AsyncIterable<Buffer> {
  wake: () => void = () => undefined;
  private readonly chunks: Buffer[] = [];
  private ended = false;
  private error: Error | undefined;

  constructor(
    signal: AbortSignal,
    private readonly server: { onEnd: () => void; paused: () => boolean },
  ) {
    signal.addEventListener("abort", () => this.fail(signal.reason as Error), { once: true });
  }

  send(type: string, object: KubeObject | object): void {
    this.chunks.push(Buffer.from(`${JSON.stringify({ type, object })}\n`));
    this.wake();
  }

  end(): void {
    this.ended = true;
    this.server.onEnd();
    this.wake();
  }

  fail(error: Error): void {
    this.error = error;
    this.server.onEnd();
    this.wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = this.server.paused() ? undefined : this.chunks.shift();
      if (chunk) yield chunk;
      else if (this.error) throw this.error;
      else if (this.ended) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

function bookmarkAt(version: number, annotations?: Record<string, string>): object {
  return { apiVersion: "example.com/v1", kind: "Widget", metadata: { resourceVersion: String(version), annotations } };
}
