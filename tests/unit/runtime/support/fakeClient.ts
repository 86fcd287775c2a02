import type { Client } from "../../../../operator/runtime";

/** A client of which only the given methods may be called. */
export function fakeClient(methods: Partial<Record<keyof Client, (...args: never[]) => unknown>>): Client {
  return new Proxy(methods, {
    get(target, name) {
      const method = target[name as keyof Client];
      if (!method) throw new Error(`unexpected call of ${String(name)}`);
      return method;
    },
  }) as unknown as Client;
}
