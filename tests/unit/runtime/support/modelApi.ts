import { ApiError, TransportError } from "../../../../operator/runtime";
import type { ResourceType } from "../../../../operator/runtime";
import type { Clock } from "../../../../operator/runtime/clock";
import { sleep } from "../../../../operator/runtime/clock";
import type { Call, Reader } from "../../../../operator/runtime/http/transport";
import { ModelServer } from "./modelServer";
import type { Widget } from "./objects";
import { widgets } from "./objects";

export const children: ResourceType = { ...widgets, plural: "children", kind: "Child" };

/** Fails before the write happens, or after it has: the answer is lost. */
export type WriteFault = "none" | "refused" | "lost";

/** An API server with widgets and children, whose answers take time and can get lost. */
export class ModelApi implements Reader {
  readonly widgets: ModelServer;
  readonly children: ModelServer;
  readonly writes: string[] = [];
  latencyMs = 0;
  writeFault: WriteFault = "none";

  constructor(private readonly clock: Clock) {
    const revision = { current: 1 };
    this.widgets = new ModelServer(revision);
    this.children = new ModelServer(revision);
  }

  async json(call: Call): Promise<unknown> {
    const [path = ""] = call.path.split("?");
    const [plural = "", name, subresource] = path.split("/namespaces/ns/")[1]?.split("/") ?? [path.split("/").at(-1)];
    const server = plural === "widgets" ? this.widgets : this.children;
    if (name === undefined) return server.json(call);
    this.writes.push(`${call.method} ${plural}/${name}${subresource ? `/${subresource}` : ""}`);
    if (this.writeFault === "refused") throw new ApiError(500, "InternalError", "no leader");
    // The write happens half way.
    await sleep(this.clock, this.latencyMs / 2);
    const { writeFault } = this;
    const answer = this.write(server, name, call);
    await sleep(this.clock, this.latencyMs / 2);
    if (writeFault === "lost") throw new TransportError("ECONNRESET", "connection reset");
    return answer;
  }

  stream(path: string, signal: AbortSignal): Promise<AsyncIterable<Buffer>> {
    return (path.includes("/widgets") ? this.widgets : this.children).stream(path, signal);
  }

  private write(server: ModelServer, name: string, call: Call): unknown {
    const old = server.objects.get(name);
    const body = JSON.parse(call.body ?? "{}") as Partial<Widget> & { preconditions?: { uid?: string } };
    if (call.method === "DELETE") {
      if (!old) throw new ApiError(404, "NotFound", `${name} not found`);
      const uid = body.preconditions?.uid;
      if (uid !== undefined && uid !== old.metadata.uid) throw new ApiError(409, "Conflict", "the UID does not match");
      server.delete(name);
      return { kind: "Status", status: "Success", details: { uid: old.metadata.uid } };
    }
    if (body.status !== undefined) {
      if (!old) throw new ApiError(404, "NotFound", `${name} not found`);
      return server.write(name, { status: { ...old.status, ...body.status } });
    }
    return server.write(name, { spec: body.spec });
  }
}
