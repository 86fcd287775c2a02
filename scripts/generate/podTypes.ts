/**
 * Writes api/podTypes.json: the parts of a pod and of a NetworkPolicy that a Memcached takes as they are, from /openapi/v3 of the API server that
 * `npm run cluster` runs. Run it when that moves to another version of Kubernetes, and then `npm run generate`:
 *
 *     node --require tsx/cjs scripts/generate/podTypes.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { startControlPlane } from "../../cluster/controlPlane";
import { type OpenApi, podTypes } from "./podSchemas";

const target = join(__dirname, "..", "..", "api", "podTypes.json");

async function openApi(): Promise<OpenApi> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-openapi-"));
  try {
    const server = await startControlPlane({ dir });
    try {
      const published = (path: string) => server.client.json<OpenApi>("GET", `/openapi/v3/${path}`);
      const { info, components } = await published("api/v1");
      const { schemas } = (await published("apis/networking.k8s.io/v1")).components;
      return { info, components: { schemas: { ...components.schemas, ...schemas } } };
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const text = JSON.stringify(podTypes(await openApi()));
  writeFileSync(target, await format(text, { ...(await resolveConfig(target)), parser: "json" }));
  console.log(`wrote ${target}`);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
