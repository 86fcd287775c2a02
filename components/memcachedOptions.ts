import type { ComponentResourceOptions, CustomResourceOptions, ID } from "@pulumi/pulumi";
import { specFields } from "../api";
import { customTimeouts } from "./duration";
import { ownArgs } from "./memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import { isGiven } from "./validation/options";

/**
 * Pulumi's options for a cache. Each of them means the resource in the cluster, as if there were no component around it. Properties in
 * `ignoreChanges`, `replaceOnChanges` and `hideDiffs` are called as the arguments are ("size", "labels.team"), or as they are in the
 * resource ("spec.size").
 */
export interface MemcachedOptions extends ComponentResourceOptions {
  /**
   * Whether a cache that has to be replaced is deleted before the new one is made.
   * Defaults to true when `args.name` is given, since two of one name cannot be there at once; else to false.
   */
  deleteBeforeReplace?: boolean;
  /** Outputs that are secrets, such as "nodes"; those that are made of the same part of the resource are so with them. */
  additionalSecretOutputs?: string[];
  /** A cache that was made by hand, "NAMESPACE/NAME", to take over as it is. It is left out again after one update. */
  import?: ID;
}

const metadataArgs = ["name", "namespace", "labels", "annotations"];
const arguments_ = [...metadataArgs, ...specFields];

/** Where each output comes from. */
const sources: { [output: string]: string } = {
  name: "metadata",
  namespace: "metadata",
  host: "metadata",
  servers: "status",
  nodes: "status",
  metadata: "metadata",
  spec: "spec",
  status: "status",
};

/** The options of the component, and those of the resource in it. */
export function splitOptions(
  args: MemcachedArgs,
  opts: MemcachedOptions = {},
): { component: ComponentResourceOptions; resource: CustomResourceOptions } {
  const {
    ignoreChanges,
    replaceOnChanges,
    hideDiffs,
    additionalSecretOutputs,
    customTimeouts: timeouts,
    deleteBeforeReplace = args.name === undefined ? undefined : true,
    import: id,
    replaceWith,
    replacementTrigger,
    hooks,
    version,
    pluginDownloadURL,
    ...component
  } = opts;
  const given = Object.entries(timeouts ?? {}).filter(([, time]) => time);
  const resource: CustomResourceOptions = {
    ignoreChanges: ignoreChanges?.map(resourcePath),
    replaceOnChanges: replaceOnChanges?.map(resourcePath),
    hideDiffs: hideDiffs?.map(resourcePath),
    additionalSecretOutputs: additionalSecretOutputs?.map((output) => sources[output] ?? output),
    customTimeouts: { ...customTimeouts(args.readyTimeout), ...Object.fromEntries(given) },
    deleteBeforeReplace,
    import: id,
    replaceWith,
    replacementTrigger,
    hooks,
    version,
    pluginDownloadURL,
  };
  return {
    // The component's own inputs are its arguments.
    component: { ...component, ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(argumentPath) }) },
    resource: Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== undefined)),
  };
}

/** What is wrong with the options, or with them together with the arguments. */
export function validateMemcachedOptions(args: MemcachedArgs, opts: MemcachedOptions = {}): string[] {
  const timeouts = opts.customTimeouts ?? {};
  const twice = (["create", "update"] as const).filter((step) => timeouts[step] && args.readyTimeout !== undefined);
  return [
    ...(["ignoreChanges", "replaceOnChanges", "hideDiffs"] as const).flatMap((option) =>
      (opts[option] ?? []).filter((path) => !isPath(path)).map((path) => noPath(option, path)),
    ),
    ...(opts.additionalSecretOutputs ?? [])
      .filter((output) => !Object.hasOwn(sources, output))
      .map(
        (output) =>
          `additionalSecretOutputs holds "${output}": unknown output; use one of ${Object.keys(sources).join(", ")}`,
      ),
    ...twice.map((step) => `customTimeouts.${step} is given with readyTimeout: leave one of them out`),
    ...(isGiven(opts.import) && args.name === undefined
      ? [`import is "${String(opts.import)}" and args.name is left out: give the name of what is imported`]
      : []),
  ];
}

const top = (path: string): string => /^(?:\["([^"]+)"\]|([^.[]+))/.exec(path)?.slice(1).find(Boolean) ?? "";

const isPath = (path: unknown): boolean =>
  typeof path === "string" && ["*", "metadata", "spec", ...arguments_].includes(top(path));

function noPath(option: string, path: string): string {
  const what = ownArgs.includes(top(path)) ? "not a property of the resource" : "unknown argument";
  const allowed = arguments_.join(", ");
  return `${option} holds "${path}": ${what}; use one of ${allowed}, or paths in them such as "labels.team"`;
}

/** `size` is `spec.size` in the resource. */
function resourcePath(path: string): string {
  const name = top(path);
  if (!arguments_.includes(name)) return path;
  const parent = metadataArgs.includes(name) ? "metadata" : "spec";
  return path.startsWith("[") ? parent + path : `${parent}.${path}`;
}

/** `spec.size` is `size` among the arguments. */
const argumentPath = (path: string): string => path.replace(/^(spec|metadata)\.?(?=.)/, "");
