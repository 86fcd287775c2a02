/** How long nothing is created in a namespace that is being deleted: it takes its resources with it. */
const retryMs = 30_000;

/** The namespaces in which the API server refused to create anything, because they are being deleted. */
export class TerminatingNamespaces {
  private readonly retryAt = new Map<string, number>();

  /** `clock` gives milliseconds that only go forward. */
  constructor(private readonly clock: () => number) {}

  /** Takes note of a refusal; gives the milliseconds to wait. */
  add(namespace: string): number {
    const now = this.clock();
    for (const [each, retryAt] of this.retryAt) if (retryAt <= now) this.retryAt.delete(each);
    this.retryAt.set(namespace, now + retryMs);
    return retryMs;
  }

  /** The milliseconds until something may be created there again; 0 is now. */
  waitMs(namespace: string): number {
    return Math.max(0, (this.retryAt.get(namespace) ?? 0) - this.clock());
  }

  /** Takes note that the last Memcached of a namespace is gone: a later one is in another namespace of that name. */
  emptied(namespace: string): void {
    this.retryAt.delete(namespace);
  }
}
