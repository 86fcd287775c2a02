/** Runs a program against Pulumi's mocks and records what it registers, with the options that mocks alone do not show. */
import * as pulumi from "@pulumi/pulumi";

export interface Registration {
  type: string;
  name: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the inputs of whatever was registered
  inputs: any;
  opts: pulumi.CustomResourceOptions;
}

export interface Recording<T> {
  result: T;
  registrations: Registration[];
  /** The only registration of that type and name. */
  one(type: string, name: string): Registration;
}

/** The status that mocked Memcached resources have; undefined where nobody writes one. */
export type Status = { servers?: string[]; nodes?: string[] } | undefined;

export async function record<T>(
  program: (opts: pulumi.ComponentResourceOptions) => T,
  { preview = false, status }: { preview?: boolean; status?: Status } = {},
): Promise<Recording<T>> {
  const inputs = new Map<string, unknown>();
  await pulumi.runtime.setMocks(
    {
      call: () => ({}),
      newResource: ({ type, name, inputs: given }) => {
        inputs.set(`${type} ${name}`, given);
        const metadata = { name: `${name}-1a2b3c4d`, ...given.metadata };
        return { id: name, state: { ...given, ...(given.metadata && { metadata }), ...(status && { status }) } };
      },
    },
    "project",
    "stack",
    preview,
    "organization",
  );
  const seen: { type: string; name: string; opts: pulumi.CustomResourceOptions }[] = [];
  const recorder: pulumi.ResourceTransformation = ({ type, name, opts }) => {
    seen.push({ type, name, opts });
    return undefined;
  };
  const result = program({ transformations: [recorder] });
  // Left out of the SDK's types, and what its own tests wait with.
  await (pulumi.runtime as unknown as { waitForRPCs(): Promise<void> }).waitForRPCs();
  const registrations = seen.map((each) => ({ ...each, inputs: inputs.get(`${each.type} ${each.name}`) }));
  const one = (type: string, name: string): Registration => {
    const found = registrations.filter((r) => r.type === type && r.name === name);
    if (found.length === 1) return found[0]!;
    const all = registrations.map((r) => `${r.type} ${r.name}`).join(", ");
    throw new Error(`${found.length} registrations of ${type} ${name}; there are: ${all}`);
  };
  return { result, registrations, one };
}

/** The value of an output; undefined while it is unknown. */
export function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return (output as unknown as { promise(): Promise<T> }).promise();
}

/** An output that a preview does not know. */
export function unknown<T>(): pulumi.Output<T> {
  return pulumi.output(pulumi.unknown as unknown as T) as pulumi.Output<T>;
}

/** The names of what an option depends on. */
export async function dependencies(opts: pulumi.CustomResourceOptions): Promise<string[]> {
  const on = (await valueOf(pulumi.output(opts.dependsOn as pulumi.Resource[]))) ?? [];
  const names = await Promise.all(on.map(async (resource) => (await valueOf(resource.urn)).split("::").pop()!));
  return names.sort();
}
