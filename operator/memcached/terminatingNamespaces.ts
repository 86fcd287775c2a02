/** How long nothing is created in a namespace that is being deleted. */
const retryMs = 30_000;

/** The namespaces in which the API server refused a create because they are being deleted. */
export class TerminatingNamespaces {
  private readonly retryAt = new Map<string, number>();

  /** `clock` returns monotonic milliseconds. */
  constructor(private readonly clock: () => number) {}

  /** Adds a namespace; returns the milliseconds to wait. */
  add(namespace: string): number {
    const now = this.clock();
    for (const [each, retryAt] of this.retryAt) if (retryAt <= now) this.retryAt.delete(each);
    this.retryAt.set(namespace, now + retryMs);
    return retryMs;
  }

  /** Milliseconds until the next try; 0 means now. */
  waitMs(namespace: string): number {
    return Math.max(0, (this.retryAt.get(namespace) ?? 0) - this.clock());
  }

  /** The last Memcached of the namespace is gone, so the next one is in a new namespace of that name. */
  emptied(namespace: string): void {
    this.retryAt.delete(namespace);
  }
}
