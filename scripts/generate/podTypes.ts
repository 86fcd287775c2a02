/**
 * Writes api/podTypes.json: the parts of a pod that a Memcached takes as they are, from /openapi/v3 of the API server that
 * `npm run cluster` runs. Run it when that moves to another version of Kubernetes, and then `npm run generate`:
 *
 *     node --require tsx/cjs scripts/generate/podTypes.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { startControlPlane } from "../../cluster/controlPlane";
import { inFolder } from "../../cluster/folders";
import { main } from "../../cluster/cli/main";
import { type OpenApi, podTypes } from "./podSchemas";

const target = join(__dirname, "..", "..", "api", "podTypes.json");

main(() =>
  inFolder("memcached-openapi", async (dir) => {
    const server = await startControlPlane({ dir });
    const openApi = await server.client.json<OpenApi>("GET", "/openapi/v3/api/v1").finally(() => server.stop());
    const text = JSON.stringify(podTypes(openApi));
    writeFileSync(target, await format(text, { ...(await resolveConfig(target)), parser: "json" }));
    console.log(`wrote ${target}`);
  }),
);
