/** Fields of children changed by hand: those that the operator owns must come back, others must stay. */
import { HttpError, mergePatch } from "../../cluster/apiClient";
import type { KubeObject } from "./client";
import type { Cache } from "./model";
import type { Random } from "../random";
import type { Edit, World } from "./world";

const strategic = "application/strategic-merge-patch+json";
export const MARK = "soak.example.com/mark";

interface Drift {
  child: "deployment" | "service";
  body(random: Random): object;
  contentType: string;
}

const container = (fields: object) => ({
  spec: { template: { spec: { containers: [{ name: "memcached", ...fields }] } } },
});

const drifts: Drift[] = [
  { child: "deployment", contentType: mergePatch, body: (random) => ({ spec: { replicas: random.between(6, 9) } }) },
  { child: "deployment", contentType: strategic, body: () => container({ image: "registry.example.com/other:1" }) },
  { child: "deployment", contentType: strategic, body: () => container({ args: ["--memory-limit=1"] }) },
  { child: "deployment", contentType: mergePatch, body: () => labels("app.kubernetes.io/component", "other") },
  { child: "service", contentType: mergePatch, body: () => labels("app.kubernetes.io/managed-by", null) },
  { child: "service", contentType: mergePatch, body: () => ({ spec: { publishNotReadyAddresses: true } }) },
  {
    child: "service",
    contentType: mergePatch,
    body: () => ({ spec: { selector: { "app.kubernetes.io/instance": "another" } } }),
  },
  {
    child: "service",
    contentType: mergePatch,
    body: () => ({ spec: { ports: [{ name: "memcached", port: 4711, targetPort: 4711, protocol: "TCP" }] } }),
  },
];

const labels = (name: string, value: string | null) => ({ metadata: { labels: { [name]: value } } });

export const drift: Edit = {
  name: "child drifted",
  weight: 14,
  run: async (world, cache, random) => {
    if (random.next() < 0.15) return leaveMark(world, cache, random);
    const { child, contentType, body } = random.pick(drifts);
    await patch(world, cache, "child drifted", cache[child], body(random), contentType);
  },
};

async function leaveMark(world: World, cache: Cache, random: Random): Promise<void> {
  const value = String(random.between(1, 1_000_000));
  const body = { metadata: { annotations: { [MARK]: value } } };
  const answer = await patch(world, cache, "annotation of others", cache.deployment, body, mergePatch);
  if (answer) cache.mark = { uid: answer.metadata.uid, value };
}

/** A child that is on its way out, or changes under the patch, has had its share. */
async function patch(
  { client, model }: World,
  cache: Cache,
  kind: string,
  ...change: [path: string, body: object, contentType: string]
): Promise<KubeObject | undefined> {
  const answer = await client.find<KubeObject>("PATCH", ...change).catch((error: unknown) => {
    if (error instanceof HttpError && error.code === 409) return undefined;
    throw error;
  });
  if (answer) model.note(kind, cache);
  return answer;
}
