/** Whether an option is given. Other languages pass empty values for options that are left out. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.values(value).some((item) => isGiven(item));
}

const oneObject = "change a single object with a transform";

/** The alternatives to options that Pulumi does not pass on to the objects of a component. */
const remedies: { [option: string]: string } = {
  ignoreChanges: `leave the argument out, or ${oneObject}`,
  replaceOnChanges: oneObject,
  replaceWith: oneObject,
  replacementTrigger: oneObject,
  hideDiffs: oneObject,
  additionalSecretOutputs: "give a secret argument: its outputs are secrets",
  customTimeouts: `give readyTimeout, or ${oneObject}`,
  deleteBeforeReplace: "leave it out: each object is always deleted before its replacement is created",
  import: `give patchForce to take over existing objects, or ${oneObject}`,
  version: "give a provider of that version",
  pluginDownloadURL: "give a provider with that pluginDownloadURL",
};

/** The errors of options that have no effect on an operator. */
export function validateOperatorOptions(opts: object = {}): string[] {
  return Object.entries(opts)
    .filter(([option, value]) => Object.hasOwn(remedies, option) && isGiven(value))
    .map(
      ([option]) =>
        `the option ${option} has no effect on an operator, which consists of many objects: ${remedies[option]}`,
    );
}
