/** Whether an option says something; other languages hand over empty ones for those that were left out. */
export function isGiven(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return true;
  return Object.values(value).some((item) => isGiven(item));
}

const oneObject = "reach the one object that is meant with a transform";

/** What to use in place of options that Pulumi does not hand to the objects of a component, of which an operator has many. */
const remedies: { [option: string]: string } = {
  ignoreChanges: `leave the argument out, or ${oneObject}`,
  replaceOnChanges: oneObject,
  replaceWith: oneObject,
  replacementTrigger: oneObject,
  hideDiffs: oneObject,
  additionalSecretOutputs: "give a secret argument, whose outputs are secrets",
  customTimeouts: `give readyTimeout, or ${oneObject}`,
  deleteBeforeReplace: "leave it out: each object is deleted before the next one of its name is made",
  import: `give patchForce to take over what is there, or ${oneObject}`,
  version: "give a provider of that version",
  pluginDownloadURL: "give a provider with that pluginDownloadURL",
};

/** The options that would do nothing for an operator, each with what to use. */
export function validateOperatorOptions(opts: object = {}): string[] {
  return Object.entries(opts)
    .filter(([option, value]) => Object.hasOwn(remedies, option) && isGiven(value))
    .map(([option]) => `the option ${option} does nothing for an operator, which is many objects: ${remedies[option]}`);
}
