import type { KubeObject } from "../types";

/** Objects by a value computed from them, kept up to date as they come and go. */
export class ObjectIndex<T extends KubeObject> {
  private readonly byValue = new Map<string, Map<string, T>>();

  constructor(private readonly valuesOf: (object: T) => string[]) {}

  find(value: string): T[] {
    return Array.from(this.byValue.get(value)?.values() ?? []);
  }

  update(key: string, old: T | undefined, current: T | undefined): void {
    if (old) for (const value of this.valuesOf(old)) this.remove(key, value);
    if (current) for (const value of this.valuesOf(current)) this.add(key, value, current);
  }

  private add(key: string, value: string, object: T): void {
    const found = this.byValue.get(value);
    if (found) found.set(key, object);
    else this.byValue.set(value, new Map([[key, object]]));
  }

  private remove(key: string, value: string): void {
    const found = this.byValue.get(value);
    found?.delete(key);
    if (found?.size === 0) this.byValue.delete(value);
  }
}
