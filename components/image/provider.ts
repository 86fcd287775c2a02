import type { dynamic } from "@pulumi/pulumi";
import * as commands from "./commands";

// Local constants: for an import from node_modules, Pulumi would store only the path.
const { engines, imageCommands } = commands;

/** The resource's state. */
export interface ImageState {
  /** The image's reference. The tag is the hash of its content. */
  image: string;
  contextDir: string;
  engine?: string;
  base?: string;
  push: boolean;
  loadInto?: { containerdAddress: string; namespace: string };
}

/**
 * Builds, pushes and loads. Pulumi stores this code as text in the state and runs it in another process. It uses only plain
 * functions and Node's modules, so it works on any machine and without this package.
 */
export const imageProvider: dynamic.ResourceProvider<ImageState, ImageState> = {
  async diff(_id, olds, news) {
    // The context's folder and the engine do not change the image.
    const target = (s: ImageState) => JSON.stringify([s.image, s.push, s.loadInto ?? null]);
    return { changes: target(olds) !== target(news) };
  },

  async create(inputs) {
    await buildImage(inputs);
    return { id: inputs.image.split(":").slice(0, -1).join(":"), outs: inputs };
  },

  async update(_id, _olds, news) {
    await buildImage(news);
    return { outs: news };
  },

  /** On refresh, an image that containerd no longer has counts as deleted, and is built again. */
  async read(id, state) {
    if (!id || !state?.loadInto) return { id, props: state };
    const { containerdAddress, namespace } = state.loadInto;
    const listing = ["--address", containerdAddress, "--namespace", namespace, "images", "ls", "-q"];
    const found = await execute(["ctr", ...listing, `name==${state.image}`]).catch(() => undefined);
    return found === undefined || found.includes(state.image) ? { id, props: state } : { id: "", props: undefined };
  },
};

async function buildImage(inputs: ImageState): Promise<void> {
  const { mkdtempSync, rmSync } = await import("fs");
  const { tmpdir } = await import("os");
  const engine = inputs.engine ?? (await engineAtHand());
  const work = mkdtempSync(`${tmpdir()}/memcached-operator-image-`);
  try {
    const load = inputs.loadInto && {
      address: inputs.loadInto.containerdAddress,
      namespace: inputs.loadInto.namespace,
      archive: `${work}/image.tar`,
    };
    for (const command of imageCommands(engine, { ...inputs, reference: inputs.image, load })) await execute(command);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function engineAtHand(): Promise<string> {
  const { accessSync, constants } = await import("fs");
  const folders = (process.env.PATH ?? "").split(":");
  const found = engines.find((engine) =>
    folders.some((folder) => {
      try {
        accessSync(`${folder}/${engine}`, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
  if (found) return found;
  throw new Error(
    `no image engine is on PATH: install one of ${engines.join(", ")}, or give MemcachedOperator a published image`,
  );
}

async function execute([program, ...args]: string[]): Promise<string> {
  const { execFile } = await import("child_process");
  // With this, buildah needs neither a user namespace nor runc for a Dockerfile that only copies.
  const env = { BUILDAH_ISOLATION: "chroot", ...process.env };
  return new Promise((resolve, reject) => {
    execFile(program!, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
      const said = missing ? `${program} is not on PATH: install it` : (stderr || stdout).trim().slice(-4000);
      reject(new Error(`${[program, ...args].join(" ")} failed: ${said || error.message}`));
    });
  });
}
