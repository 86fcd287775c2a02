/**
 * Writes api/podTypes.json: the parts of a pod and of a NetworkPolicy that a Memcached takes as they are, from /openapi/v3 of the API server that
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
    const published = (path: string) => server.client.json<OpenApi>("GET", `/openapi/v3/${path}`);
    const [pods, networking] = await Promise.all(["api/v1", "apis/networking.k8s.io/v1"].map(published)).finally(() =>
      server.stop(),
    );
    const schemas = { ...pods!.components.schemas, ...networking!.components.schemas };
    const text = JSON.stringify(podTypes({ info: pods!.info, components: { schemas } }));
    writeFileSync(target, await format(text, { ...(await resolveConfig(target)), parser: "json" }));
    console.log(`wrote ${target}`);
  }),
);
