import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "../../clock";
import { isApiError } from "../../errors";
import type { Transport } from "../../http/transport";
import { Outage } from "../../outage";
import type { Logger } from "../../types";
import { LruExpireCache } from "./lruExpireCache";

/** Who a token belongs to, as a TokenReview tells it. */
export interface User {
  username?: string;
  uid?: string;
  groups?: string[];
  extra?: Record<string, string[]>;
}

interface TokenReview {
  status?: { authenticated?: boolean; user?: User };
}

interface SubjectAccessReview {
  status?: { allowed?: boolean; denied?: boolean };
}

/** Below the ten seconds that Prometheus waits, which then gets the answer that says so. */
const timeoutMs = 4_000;
const retryWaitMs = 2_000;
const maxKept = 1_000;
const maxPending = 64;
/** A token that was good is asked about again after a minute, as in controller-runtime's filter; one that was not may be any moment. */
const goodTokenMs = 60_000;
const badTokenMs = 10_000;
/** The times of controller-runtime's filter. */
const allowedMs = 300_000;
const deniedMs = 30_000;

type Kind = "TokenReview" | "SubjectAccessReview";
const pluralOf = (kind: Kind) => `${kind.toLowerCase()}s`;

/** More callers ask at a time than the API server should be bothered with. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/**
 * Asks the API server who a caller is and what it may do, and remembers the answers for a short while. Needs the right to create
 * tokenreviews and subjectaccessreviews. Rejects with ApiError, TransportError or BusyError when no answer can be had.
 */
export class Reviews {
  private readonly users: LruExpireCache<User | undefined>;
  private readonly rights: LruExpireCache<boolean>;
  /** Tokens are kept by a hash that means nothing outside this process. */
  private readonly salt = randomBytes(32);
  private readonly outages: Record<Kind, Outage>;
  private pending = 0;

  constructor(
    private readonly transport: Pick<Transport, "json">,
    log: Logger,
    clock?: Clock,
  ) {
    this.outages = {
      TokenReview: new Outage(log, "Asking the API server who callers are"),
      SubjectAccessReview: new Outage(log, "Asking the API server what callers may do"),
    };
    this.users = new LruExpireCache({ limit: maxKept, ttlMs: (user) => (user ? goodTokenMs : badTokenMs), clock });
    this.rights = new LruExpireCache({ limit: maxKept, ttlMs: (allowed) => (allowed ? allowedMs : deniedMs), clock });
  }

  /** Undefined when the token is nobody's. */
  user(token: string): Promise<User | undefined> {
    return this.users.get(this.hash(token), async () => {
      const { status } = await this.review<TokenReview>("authentication.k8s.io", "TokenReview", { token });
      return status?.authenticated ? (status.user ?? {}) : undefined;
    });
  }

  /** Whether the user may do `verb` on a path that is no resource's. */
  allowed({ username, uid, groups, extra }: User, verb: string, path: string): Promise<boolean> {
    const spec = { user: username, uid, groups, extra, nonResourceAttributes: { verb, path } };
    return this.rights.get(this.hash(JSON.stringify(spec)), async () => {
      const { status } = await this.review<SubjectAccessReview>("authorization.k8s.io", "SubjectAccessReview", spec);
      return status?.allowed === true && !status.denied;
    });
  }

  /** The log hears why no answer can be had, once for each cause. */
  private async review<T>(group: string, kind: Kind, spec: object): Promise<T> {
    try {
      const review = await this.post<T>(group, kind, spec);
      this.outages[kind].recovered();
      return review;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      const remedy = isApiError(error, 403) ? `: let this program's account create ${pluralOf(kind)}` : "";
      this.outages[kind].failed(cause + remedy);
      throw error;
    }
  }

  private async post<T>(group: string, kind: Kind, spec: object): Promise<T> {
    if (this.pending >= maxPending) throw new BusyError(`${maxPending} reviews are under way`);
    this.pending++;
    try {
      const body = JSON.stringify({ apiVersion: `${group}/v1`, kind, spec });
      const path = `/apis/${group}/v1/${pluralOf(kind)}`;
      return (await this.transport.json({ method: "POST", path, body, timeoutMs, retryWaitMs })) as T;
    } finally {
      this.pending--;
    }
  }

  private hash(text: string): string {
    return createHmac("sha256", this.salt).update(text).digest("base64");
  }
}
