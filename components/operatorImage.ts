import { dynamic, log, output, runtime, unknown } from "@pulumi/pulumi";
import type { CustomResourceOptions, Output } from "@pulumi/pulumi";
import { Type } from "@sinclair/typebox";
import { join } from "node:path";
import { engines } from "./image/commands";
import { contentHash } from "./image/contentHash";
import { imageProvider } from "./image/provider";
import type { LoadIntoArgs, OperatorImageArgs } from "./operatorImageArgs";
import { flag, oneOf, word } from "./validation/forms";
import { argsSchema, problemsOf } from "./validation/schema";
import { refuse } from "./validation/values";

const path = Type.String({ now: true, give: "a plain string" });

const schema = argsSchema<OperatorImageArgs>({
  contextDir: path,
  name: Type.String({
    pattern: /^([a-z0-9.-]+(:\d+)?\/)?[a-z0-9._-]+(\/[a-z0-9._-]+)*$/.source,
    give: "an image name without a tag, in lower case",
    now: true,
  }),
  engine: oneOf(engines, true),
  base: path,
  push: flag,
  loadInto: argsSchema<LoadIntoArgs>(
    {
      containerdAddress: word("the path of containerd's socket"),
      namespace: word("the namespace of the kubelet's images"),
    },
    { required: ["containerdAddress"], now: true },
  ),
});

/**
 * The operator's image, built with a local image engine during `pulumi up`, never during a preview. Its tag is the hash of
 * its content, so the operator is updated only if the content changes.
 *
 * ```ts
 * const image = new OperatorImage("image", { name: "registry.example.com/memcached-operator", push: true });
 * new MemcachedOperator("memcached-operator", { image: image.image });
 * ```
 *
 * With a published image this is not needed: give its reference to `MemcachedOperator`.
 */
export class OperatorImage extends dynamic.Resource {
  /** The image's reference, `NAME:HASH`, after it is built, pushed and loaded. */
  declare readonly image: Output<string>;

  /**
   * @param name the Pulumi name
   * @param args how the image is built, pushed and loaded
   * @param opts Pulumi's options
   * @throws if an argument is invalid, or if an update finds no Dockerfile and main.js
   */
  constructor(name: string, args: OperatorImageArgs = {}, opts?: CustomResourceOptions) {
    validateOperatorImage(name, args);
    const contextDir =
      args.contextDir ?? join(__dirname, "..", __filename.endsWith(".ts") ? "dist/operator" : "operator");
    const hash = contentHash(contextDir, args.base ?? "");
    if (hash === undefined) missingContext(name, contextDir);
    const properties = {
      image: hash === undefined ? output(unknown) : `${args.name ?? "localhost/memcached-operator"}:${hash}`,
      contextDir,
      engine: args.engine,
      base: args.base,
      push: args.push ?? false,
      loadInto: args.loadInto && { namespace: "k8s.io", ...args.loadInto },
    };
    super(imageProvider, name, properties, opts, "memcached", "OperatorImage");
  }
}

function missingContext(name: string, contextDir: string): void {
  const what = `${contextDir} has no Dockerfile and main.js for the operator's image: run "npm run build", or give contextDir`;
  if (!runtime.isDryRun()) refuse("OperatorImage", name, [what]);
  void log.warn(`OperatorImage "${name}": ${what}`);
}

function validateOperatorImage(name: string, args: OperatorImageArgs): void {
  const { name: image, push }: OperatorImageArgs = args ?? {};
  refuse("OperatorImage", name, [
    ...problemsOf("args", schema, args ?? null),
    ...(push === true && !(typeof image === "string" && image.includes("/"))
      ? [`push requires a name with a registry: give one such as "registry.example.com/memcached-operator"`]
      : []),
  ]);
}
