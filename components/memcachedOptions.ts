import type { ComponentResourceOptions, CustomResourceOptions, ID } from "@pulumi/pulumi";
import { specFields } from "../api";
import { customTimeouts } from "./duration";
import { ownArgs } from "./memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import { isGiven } from "./validation/options";

/**
 * Pulumi's options for a cache. They apply to the resource inside the component. `ignoreChanges`, `replaceOnChanges` and `hideDiffs`
 * take the names of arguments ("size", "labels.team") or of the resource's properties ("spec.size").
 */
export interface MemcachedOptions extends ComponentResourceOptions {
  /**
   * Whether a cache that is replaced is deleted before the new one is created.
   * Defaults to true if `args.name` is given, because two resources cannot have the same name; otherwise to false.
   */
  deleteBeforeReplace?: boolean;
  /** Outputs that are secrets, such as "nodes", together with all others from the same part of the resource. */
  additionalSecretOutputs?: string[];
  /** An existing cache, "NAMESPACE/NAME", to take over. Remove it after one update. */
  import?: ID;
}

const metadataArgs = ["name", "namespace", "labels", "annotations"];
const arguments_ = [...metadataArgs, ...specFields];

/** The part of the resource that each output comes from. */
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

/** Options that apply to the resource and not to the component. */
const resourceOptions = [
  ...["ignoreChanges", "replaceOnChanges", "hideDiffs", "additionalSecretOutputs", "customTimeouts"],
  ...["deleteBeforeReplace", "import", "replaceWith", "replacementTrigger", "hooks", "version", "pluginDownloadURL"],
];

/** The options of the component, and of the resource in it. */
export function splitOptions(
  args: MemcachedArgs,
  opts: MemcachedOptions = {},
): { component: ComponentResourceOptions; resource: CustomResourceOptions } {
  const part = (ofResource: boolean) =>
    Object.fromEntries(Object.entries(opts).filter(([name]) => resourceOptions.includes(name) === ofResource));
  const own: CustomResourceOptions = part(true);
  const { ignoreChanges, deleteBeforeReplace = args.name === undefined ? undefined : true } = own;
  const timeouts = Object.entries(own.customTimeouts ?? {}).filter(([, time]) => time);
  const resource: CustomResourceOptions = {
    ...own,
    ignoreChanges: ignoreChanges?.map(resourcePath),
    replaceOnChanges: own.replaceOnChanges?.map(resourcePath),
    hideDiffs: own.hideDiffs?.map(resourcePath),
    additionalSecretOutputs: own.additionalSecretOutputs?.map((output) => sources[output] ?? output),
    customTimeouts: { ...customTimeouts(args.readyTimeout), ...Object.fromEntries(timeouts) },
    deleteBeforeReplace,
  };
  return {
    // For the component itself, paths are names of arguments.
    component: { ...part(false), ...(ignoreChanges && { ignoreChanges: ignoreChanges.map(argumentPath) }) },
    resource: Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== undefined)),
  };
}

/** The errors of the options, also together with the arguments. */
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
          `additionalSecretOutputs has "${output}": unknown output; use one of ${Object.keys(sources).join(", ")}`,
      ),
    ...twice.map((step) => `customTimeouts.${step} is given with readyTimeout: leave out one of them`),
    ...(isGiven(opts.import) && args.name === undefined
      ? [`import is "${String(opts.import)}" and args.name is left out: give the name of the imported resource`]
      : []),
  ];
}

const top = (path: string): string => /^(?:\["([^"]+)"\]|([^.[]+))/.exec(path)?.slice(1).find(Boolean) ?? "";

const isPath = (path: unknown): boolean =>
  typeof path === "string" && ["*", "metadata", "spec", ...arguments_].includes(top(path));

function noPath(option: string, path: string): string {
  const what = ownArgs.includes(top(path)) ? "not a property of the resource" : "unknown argument";
  const allowed = arguments_.join(", ");
  return `${option} has "${path}": ${what}; use one of ${allowed}, or paths in them such as "labels.team"`;
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
