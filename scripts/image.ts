/**
 * `npm run image -- IMG [--base IMAGE]`: builds the operator's image under the name IMG with buildah. It is loaded into
 * the embedded cluster when that runs; push it with `buildah push IMG`.
 */
import { ensurePrograms, imagePrograms } from "../cluster/debian";
import { loadImage } from "../cluster/images/archive";
import { buildah } from "../cluster/images/buildah";
import { nodeBaseImage } from "../cluster/images/nodeBase";
import { say, step } from "../cluster/report";
import { bundleOperator, operatorDir } from "../build/bundleOperator";
import { parseCommandLine, usageError } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { embedded } from "./stack/target";

const USAGE = "usage: npm run image -- IMG [--base IMAGE]";
const ABOUT = `Builds the operator's image under the name IMG with buildah, and loads it into the embedded cluster when that runs.

  --base IMAGE   the image to build on, of Node 22.21 or later; the Dockerfile's own by default, and one made here where no registry answers`;

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, { base: { type: "string" } }, ABOUT);
  const [image, ...rest] = positionals;
  if (!image || rest.length > 0) throw usageError(USAGE);
  await ensurePrograms(imagePrograms);
  await bundleOperator();
  const base = values.base ?? ((await registryAnswers()) ? undefined : await localBase());
  const arg = base ? ["--build-arg", `BASE=${base}`] : [];
  await step(`building ${image}`, () => buildah("bud", "--quiet", ...arg, "--tag", image, operatorDir));
  const settings = embedded();
  if (!settings) return;
  await loadImage(settings, image);
  say(`loaded into the embedded cluster "${settings.name}"`);
});

/** True when the registry of the Dockerfile's own base can be asked. */
async function registryAnswers(): Promise<boolean> {
  try {
    await fetch("https://registry-1.docker.io/v2/", { signal: AbortSignal.timeout(5000) });
    return true;
  } catch {
    return false;
  }
}

async function localBase(): Promise<string> {
  say("no registry answers: the image is built on a local base made of this machine's Node 22.");
  return nodeBaseImage();
}
