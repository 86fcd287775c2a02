/**
 * `npm run deploy -- IMG [--memcached-image IMAGE]`: installs CRD, rights and the operator with image IMG by `kubectl apply`,
 * and waits until it runs.
 * IMAGE is what caches run unless they say otherwise: on the embedded cluster, which may have no registry, the one made
 * here; else the official image.
 */
import { hasImage, importImage, loadImage } from "../cluster/images/archive";
import { hasBuilt } from "../cluster/images/buildah";
import { memcachedImage } from "../cluster/images/memcached";
import { say } from "../cluster/report";
import type { ClusterSettings } from "../cluster/settings";
import { parseCommandLine, usageError } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { installYaml } from "./generate/install";
import { waitForRollout } from "./stack/rollout";
import { get, kubectl, target } from "./stack/target";

const DEPLOYMENT = "memcached-operator-controller-manager";

const USAGE = "usage: npm run deploy -- IMG [--memcached-image IMAGE]";
const ABOUT = `Installs CRD, rights and the operator with the image IMG by kubectl apply, and waits until it runs.
It acts on the cluster of KUBECONFIG; without one, on the embedded cluster when that runs.

  --memcached-image IMAGE   what caches run unless they say otherwise`;

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, { "memcached-image": { type: "string" } }, ABOUT);
  const [image, ...rest] = positionals;
  if (!image || rest.length > 0) throw usageError(USAGE);
  const own = target();
  if (own) await ensureImage(own, image);
  const operand = values["memcached-image"] ?? (own && (await loadMemcached(own)));
  await kubectl(own, ["apply", "--server-side", "--force-conflicts", "-f", "-"], installYaml(image, operand));
  await waitForRollout((...what) => get(own, ...what), "memcached-operator-system", DEPLOYMENT);
  say("the operator runs.");
});

/** The embedded cluster's node has no registry of ours: it gets an image that was built here. */
async function ensureImage(cluster: ClusterSettings, image: string): Promise<void> {
  if (await hasImage(cluster, image)) return;
  if (await hasBuilt(image)) await loadImage(cluster, image);
  else say(`there is no image ${image} on the node, and none was built here: it must be pulled from its registry.`);
}

async function loadMemcached(cluster: ClusterSettings): Promise<string> {
  const archive = await memcachedImage();
  await importImage(cluster, archive);
  return archive.image;
}
