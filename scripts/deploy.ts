/**
 * `npm run deploy -- IMG [--memcached-image IMAGE]`: installs CRD, rights and the operator with image IMG by `kubectl apply`.
 * IMAGE is what caches run unless they say otherwise: on the embedded cluster, which may have no registry, the one made
 * here; else the official image.
 */
import { importImage } from "../cluster/images/archive";
import { memcachedImage } from "../cluster/images/memcached";
import type { ClusterSettings } from "../cluster/settings";
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { installYaml } from "./generate/install";
import { kubectl, target } from "./stack/target";

const USAGE = "usage: npm run deploy -- IMG [--memcached-image IMAGE]";

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, { "memcached-image": { type: "string" } });
  const [image, ...rest] = positionals;
  if (!image || rest.length > 0) throw usageError(USAGE);
  const own = await target();
  const operand = values["memcached-image"] ?? (own && (await loadMemcached(own)));
  await kubectl(own, ["apply", "--server-side", "--force-conflicts", "-f", "-"], installYaml(image, operand));
});

async function loadMemcached(cluster: ClusterSettings): Promise<string> {
  const archive = await memcachedImage();
  await importImage(cluster, archive);
  return archive.image;
}
