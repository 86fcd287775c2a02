import { keyOf, keyText } from "../object";
import type { KubeObject } from "../types";
import type { WatchEvent } from "./watchStream";

/** Collects a streamed first list (WatchList) until the bookmark that ends it. */
export class InitialEvents {
  done = false;
  private readonly objects = new Map<string, KubeObject>();

  /** Takes in an event; true when the list is complete. */
  take({ type, object }: WatchEvent): boolean {
    if (type === "BOOKMARK") {
      this.done = object.metadata.annotations?.["k8s.io/initial-events-end"] === "true";
      return this.done;
    }
    const key = keyText(keyOf(object));
    if (type === "DELETED") this.objects.delete(key);
    else this.objects.set(key, object);
    return false;
  }

  /** What was collected; handed out once. */
  items(): KubeObject[] {
    const items = Array.from(this.objects.values());
    this.objects.clear();
    return items;
  }
}
