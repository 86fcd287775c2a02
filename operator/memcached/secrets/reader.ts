import { type Memcached, withDefaults } from "../../../api";
import { ApiError, type Client, isApiError } from "../../runtime";
import type { KeyState } from "../state";
import { type Data, type Found, type SecretReport, checkSecrets } from "./check";
import { type Source, sourcesOf } from "./sources";

/** What was found stands for so long: a problem is looked at again soon, for somebody mends it. */
const problemMs = 5_000;
const goodMs = 300_000;

/** What a look at the Secrets of a Memcached found, and when. */
export interface SecretsSeen {
  generation: number | undefined;
  report: SecretReport;
  /** By the wall clock. */
  at: number;
  dueInMs: number;
}

/**
 * Looks at what spec.tls and spec.auth name, with a GET each, when the spec has changed or the last look is too long ago. Gives undefined where
 * they name nothing.
 */
export async function lookAtSecrets(
  { metadata, spec }: Memcached,
  state: Pick<KeyState, "secrets">,
  client: Pick<Client, "get">,
  now: Date,
  signal: AbortSignal,
): Promise<{ report: SecretReport; retryAfterMs: number } | undefined> {
  const defaulted = withDefaults(spec);
  const sources = sourcesOf(defaulted);
  if (sources.length === 0) {
    state.secrets = undefined;
    return undefined;
  }
  const { namespace = "", generation } = metadata;
  const last = state.secrets;
  const leftMs = last?.generation === generation ? last!.at + last!.dueInMs - now.getTime() : 0;
  if (last && leftMs > 0) return { report: last.report, retryAfterMs: leftMs };
  const found = new Map<string, Found>();
  for (const source of sources) found.set(source.field, await read(source, namespace, client, signal));
  const report = checkSecrets(defaulted, namespace, ({ field }) => found.get(field) ?? "missing", now);
  const validMs = report.validUntil ? report.validUntil.getTime() - now.getTime() : goodMs;
  const dueInMs = report.problem ? problemMs : Math.min(goodMs, validMs);
  state.secrets = { generation, report, at: now.getTime(), dueInMs };
  return { report, retryAfterMs: dueInMs };
}

async function read(
  source: Source,
  namespace: string,
  client: Pick<Client, "get">,
  signal: AbortSignal,
): Promise<Found> {
  try {
    return (await client.get(source.type, { namespace, name: source.name }, { signal })) as Data;
  } catch (error) {
    if (isApiError(error, 404)) return "missing";
    if (error instanceof ApiError) return { refused: error.message };
    throw error;
  }
}
