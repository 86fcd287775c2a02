import { randomBytes } from "node:crypto";
import type { Clock } from "../clock";
import { sleep, systemClock } from "../clock";
import { microTimestamp } from "../conditions";
import { ApiError } from "../errors";
import type { Client } from "../http/client";
import type { KubeObject, Logger, ResourceType } from "../types";
import { SpamFilter } from "./spamFilter";

export const eventType: ResourceType = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

const maxNoteBytes = 1024;
const maxQueued = 1000;
const maxTries = 12;
const retryMs = 10_000;
/** A series without news for this long is over; while it lasts its count is written at most this often. */
const seriesEndsMs = 360_000;
const seriesRefreshMs = 1_800_000;
const maxSeries = 4096;

export interface EventRecorderOptions {
  client: Client;
  /** At most 128 characters, e.g. "memcached-operator". */
  reportingController: string;
  reportingInstance: string;
  log: Logger;
  clock?: Clock;
}

interface Series {
  name: string;
  namespace: string;
  count: number;
  lastAt: number;
  writtenAt: number;
  writtenCount: number;
}

interface Task {
  send: () => Promise<unknown>;
  tries: number;
}

/** What an `ApiEventRecorder` does for those who report. */
export type EventRecorder = Pick<ApiEventRecorder, "event">;

/**
 * Reports to people through events.k8s.io/v1, after client-go's tools/events: what repeats becomes the count of one series, what floods is
 * held back, and what cannot be written is dropped. The queue is bounded and served one at a time.
 */
export class ApiEventRecorder {
  private readonly series = new Map<string, Series>();
  private readonly tasks: Task[] = [];
  private readonly spam: SpamFilter;
  private readonly clock: Clock;
  private draining: Promise<void> | undefined;
  private readonly stopped = new AbortController();

  constructor(private readonly options: EventRecorderOptions) {
    this.clock = options.clock ?? systemClock;
    this.spam = new SpamFilter(this.clock);
  }

  /**
   * Never throws and never blocks. `regarding` must carry its uid. `reason` and `action` are UpperCamelCase; `note` is cut at 1024 bytes.
   */
  event(regarding: KubeObject, type: "Normal" | "Warning", reason: string, action: string, note: string): void {
    try {
      this.record(regarding, type, reason, action, note);
    } catch (error) {
      this.options.log.warn({ err: error }, "An event could not be recorded");
    }
  }

  /** Writes what is queued, for at most `limitMs`, and then nothing more. */
  async flush(limitMs: number): Promise<void> {
    const limit = this.clock.setTimeout(() => this.stopped.abort(), limitMs);
    await this.draining;
    limit.cancel();
    this.stopped.abort();
  }

  private record(regarding: KubeObject, type: string, reason: string, action: string, note: string): void {
    if (this.stopped.signal.aborted) return;
    const { uid = "" } = regarding.metadata;
    const text = cut(note);
    const now = this.clock.now();
    this.endSeries(now);
    const key = [uid, type, reason, action, text].join("\u0000");
    const known = this.series.get(key);
    if (known) return this.repeat(known, now);
    if (!this.spam.admits(uid)) return;
    const name = `${regarding.metadata.name.slice(0, 230)}.${randomBytes(8).toString("hex")}`;
    const namespace = regarding.metadata.namespace || "default";
    this.series.set(key, { name, namespace, count: 1, lastAt: now, writtenAt: now, writtenCount: 1 });
    const body = this.body(regarding, type, reason, action, text, { name, namespace });
    this.submit(() => this.options.client.create(eventType, body));
  }

  private body(regarding: KubeObject, type: string, reason: string, action: string, note: string, metadata: object) {
    const { apiVersion, kind } = regarding;
    const { name, namespace, uid, resourceVersion } = regarding.metadata;
    return {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata,
      eventTime: microTimestamp(new Date()),
      reportingController: this.options.reportingController,
      reportingInstance: this.options.reportingInstance.slice(0, 128),
      regarding: { apiVersion, kind, name, namespace, uid, resourceVersion },
      type,
      reason,
      action,
      note,
    };
  }

  /** The second occurrence is told at once, later ones now and then. */
  private repeat(series: Series, now: number): void {
    series.count++;
    series.lastAt = now;
    if (series.count === 2 || now - series.writtenAt >= seriesRefreshMs) this.writeSeries(series, now);
  }

  private writeSeries(series: Series, now: number): void {
    series.writtenAt = now;
    series.writtenCount = series.count;
    const lastObservedTime = microTimestamp(new Date());
    const patch = { series: { count: series.count, lastObservedTime } };
    this.submit(() => this.options.client.patch(eventType, series, patch));
  }

  private endSeries(now: number): void {
    for (const [key, series] of this.series) {
      if (now - series.lastAt < seriesEndsMs && this.series.size <= maxSeries) continue;
      if (series.count > series.writtenCount) this.writeSeries(series, now);
      this.series.delete(key);
    }
  }

  private submit(send: Task["send"]): void {
    if (this.tasks.length >= maxQueued) {
      this.options.log.warn("Too many events are waiting, one is dropped");
      return;
    }
    this.tasks.push({ send, tries: 0 });
    this.draining ??= this.drain().finally(() => (this.draining = undefined));
  }

  private async drain(): Promise<void> {
    for (let task = this.tasks[0]; task; task = this.tasks[0]) {
      if (this.stopped.signal.aborted) return;
      try {
        await task.send();
        this.tasks.shift();
      } catch (error) {
        task.tries++;
        // The server's no is final (no right, namespace terminating, event expired); silence is not.
        if (error instanceof ApiError || task.tries >= maxTries) {
          this.options.log.debug({ err: error }, "An event was not written");
          this.tasks.shift();
        } else {
          await sleep(this.clock, retryMs, this.stopped.signal);
        }
      }
    }
  }
}

/** At most 1024 bytes, without cutting a character in two. */
function cut(note: string): string {
  if (Buffer.byteLength(note) <= maxNoteBytes) return note;
  const bytes = Buffer.from(note).subarray(0, maxNoteBytes - 3);
  return `${bytes.toString("utf8").replace(/\uFFFD+$/, "")}…`;
}
