import { ApiError, TransportError } from "../../../../operator/runtime";
import type { Client } from "../../../../operator/runtime";
import type { Lease } from "../../../../operator/runtime/leader/lease";
import { fakeClient } from "./fakeClient";

/** One Lease with optimistic locking, for any number of clients that can be cut off one by one. */
export class LeaseServer {
  lease: Lease | undefined;
  readonly writes: string[] = [];
  readonly reads: string[] = [];
  private version = 0;

  /** `state.cut`: requests of this client get no answer. `state.held`: they arrive when it resolves. */
  client(name: string, state: { cut: boolean; held?: Promise<void> }): Client {
    const reach = () => {
      if (state.cut) throw new TransportError("TIMEOUT", "no answer within 5 s");
    };
    const store = (body: Lease) => {
      const metadata = { ...body.metadata, resourceVersion: String(++this.version) };
      this.lease = structuredClone({ ...body, metadata });
      this.writes.push(`${name}:${body.spec.holderIdentity}`);
      return structuredClone(this.lease);
    };
    const call = <A extends unknown[], R>(run: (...args: A) => R) => {
      return (...args: A) => Promise.resolve(state.held).then(() => (reach(), run(...args)));
    };
    return fakeClient({
      get: call(() => {
        this.reads.push(name);
        if (!this.lease) throw new ApiError(404, "NotFound", "leases not found");
        return structuredClone(this.lease);
      }),
      create: call((_type: unknown, body: Lease) => {
        if (this.lease) throw new ApiError(409, "AlreadyExists", "exists");
        return store(body);
      }),
      replace: call((_type: unknown, body: Lease) => {
        if (body.metadata.resourceVersion !== this.lease?.metadata.resourceVersion) {
          throw new ApiError(409, "Conflict", "the object has been modified");
        }
        return store(body);
      }),
    });
  }
}
