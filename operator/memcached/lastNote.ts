import { ApiError, type Client, type KubeObject, eventType } from "../runtime";

interface Event extends KubeObject {
  note?: string;
  deprecatedLastTimestamp?: string;
  series?: { lastObservedTime?: string };
}

const timeOf = ({ metadata, series, deprecatedLastTimestamp }: Event): string =>
  series?.lastObservedTime ?? deprecatedLastTimestamp ?? metadata.creationTimestamp ?? "";

/** What the last Event of that reason says of an object; undefined where there is none, or they must not be read. */
export async function lastNote(
  { namespace, uid }: KubeObject["metadata"],
  reason: string,
  client: Pick<Client, "list">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const fieldSelector = `regarding.uid=${uid},reason=${reason}`;
  try {
    const { items } = await client.list<Event>(eventType, { namespace, fieldSelector, signal });
    return items.reduce<Event | undefined>(
      (last, event) => (last && timeOf(last) > timeOf(event) ? last : event),
      undefined,
    )?.note;
  } catch (error) {
    // Without the right to read Events all goes on as before, only without its reasons.
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
