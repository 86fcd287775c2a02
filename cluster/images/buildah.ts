/** Builds images from folders with buildah, with no engine and no daemon. */
import { run, tryRun, which } from "../run";

/** Buildah's environment: plain folders instead of overlays and chroot instead of containers work everywhere. */
export function buildahEnv(): NodeJS.ProcessEnv {
  return { ...process.env, STORAGE_DRIVER: "vfs", BUILDAH_ISOLATION: "chroot" };
}

/** Runs buildah and gives its standard output. */
export const buildah = (...args: string[]): Promise<string> => run("buildah", args, { env: buildahEnv() });

/** Whether buildah's store has an image of this name. */
export async function hasBuilt(image: string): Promise<boolean> {
  if (!which("buildah")) return false;
  return (await tryRun("buildah", ["inspect", "--type", "image", image], { env: buildahEnv() })).code === 0;
}

export interface ImageConfig {
  /** The program that it runs. */
  entrypoint: string;
  /** The number of the user, and of the group. */
  user: number;
  port?: number;
}

/** Makes an image `name` whose file system is a folder's, replacing one of that name. */
export async function imageFromFolder(name: string, folder: string, config: ImageConfig): Promise<void> {
  const container = (await buildah("from", "--pull-never", "scratch")).trim();
  try {
    await buildah("copy", "--quiet", container, folder, "/");
    const ports = config.port === undefined ? [] : ["--port", String(config.port)];
    const flags = ["--entrypoint", JSON.stringify([config.entrypoint]), "--user", `${config.user}:${config.user}`];
    await buildah("config", ...flags, ...ports, container);
    await buildah("commit", "--quiet", "--format", "docker", container, name);
  } finally {
    await buildah("rm", container);
  }
}
