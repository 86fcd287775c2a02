/** The image engines, in the order in which they are tried. */
export const engines = ["buildah", "docker", "podman", "nerdctl"] as const;

/** How to build one image. */
export interface ImagePlan {
  /** The image's full name with its tag. */
  reference: string;
  /** The folder with the Dockerfile and main.js. */
  contextDir: string;
  /** The base image; default: that of the Dockerfile. */
  base?: string;
  /** Whether to push to the registry in the reference. */
  push: boolean;
  /** The containerd to load the image into, and the archive for it. */
  load?: { address: string; namespace: string; archive: string };
}

/** The command lines that build, push and load an image with an engine. */
export function imageCommands(engine: string, plan: ImagePlan): string[][] {
  const { reference, contextDir, base, push, load } = plan;
  const build = [engine, "build", "--tag", reference];
  if (base !== undefined) build.push("--build-arg", `BASE=${base}`);
  const commands = [[...build, contextDir]];
  if (push)
    commands.push(
      engine === "buildah" ? [engine, "push", reference, `docker://${reference}`] : [engine, "push", reference],
    );
  if (load) {
    if (engine === "buildah") commands.push([engine, "push", reference, `docker-archive:${load.archive}:${reference}`]);
    else commands.push([engine, "save", "--output", load.archive, reference]);
    commands.push(["ctr", "--address", load.address, "--namespace", load.namespace, "images", "import", load.archive]);
  }
  return commands;
}
