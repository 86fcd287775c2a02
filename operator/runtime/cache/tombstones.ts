const maxAgeMs = 600_000;

/** UIDs of objects we deleted: a UID never comes back, so whatever still arrives for it is old news. */
export class Tombstones {
  private readonly uids = new Map<string, number>();

  add(uid: string): void {
    const now = performance.now();
    for (const [old, at] of this.uids) {
      if (now - at < maxAgeMs) break;
      this.uids.delete(old);
    }
    this.uids.set(uid, now);
  }

  has(uid: string | undefined): boolean {
    return uid !== undefined && this.uids.size > 0 && this.uids.has(uid);
  }
}
