/** The pods of a cluster as they come, change and go. */
import { readFileSync } from "node:fs";
import https from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { ControlPlane } from "../../support/controlPlane";

export interface Pod {
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec: {
    serviceAccountName: string;
    containers: { name: string; image: string; args?: string[]; env?: { name: string; value?: string }[] }[];
  };
  status?: { phase?: string; containerStatuses?: unknown[] };
}

export interface PodEvent {
  /** ADDED also for each pod that is there at the start. */
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: Pod;
}

/** Hands over every event until the returned function is called. One request, where lists in a loop would keep the API server busy. */
export function watchPods(plane: ControlPlane, handle: (event: PodEvent) => void): () => void {
  const read = (name: string) => readFileSync(join(plane.pki, name));
  const identity = { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
  const request = https.get(`${plane.url}/api/v1/pods?watch=1`, { ...identity, agent: false }, (response) => {
    // The server ends a watch after half an hour at the earliest, when these tests are long over.
    createInterface(response)
      .on("line", (line) => handle(JSON.parse(line) as PodEvent))
      .on("error", () => undefined);
  });
  request.on("error", () => undefined);
  return () => void request.destroy();
}
