import { getOrganization, getProject, getStack } from "@pulumi/pulumi";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import { createHash } from "node:crypto";
import { group } from "../api";
import { lift } from "./lift";
import type { KubeManifest } from "./manifests";

const manager = "pulumi.com/patchFieldManager";

/** As long as the API server lets a field manager's name be. */
const longestManager = 128;

/**
 * Whose an install is, in words for people: the component and its stack. The same for every update of that stack, one
 * that was killed half-way included, and another for every other stack.
 */
export function ownerOf(name: string): string {
  const stack = [organization(), getProject(), getStack()].filter(Boolean).join("/");
  const whole = `MemcachedOperator ${name} of stack ${stack}`;
  if (whole.length <= longestManager) return whole;
  const rest = `… ${createHash("sha256").update(whole).digest("hex").slice(0, 16)}`;
  return whole.slice(0, longestManager - rest.length) + rest;
}

/** Without one in programs that run on mocks. */
function organization(): string | undefined {
  try {
    return getOrganization();
  } catch {
    return undefined;
  }
}

/**
 * Marks an object as its owner's. When another stack applies it, the API server answers with a conflict that names the
 * owner, since that is what the fields' manager is called.
 */
export function owned(manifest: KubeManifest, owner: string): KubeManifest {
  const annotations = lift(manifest.metadata.annotations ?? {}, (given) => ({
    [manager]: owner,
    ...given,
    [`${group}/installed-by`]: owner,
  }));
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}

/**
 * The manager of what is there stays when the stack or the component is called differently, and stays what an older release
 * called it: two managers of one stack would be in conflict with each other.
 */
export const ownedOptions: CustomResourceOptions = { ignoreChanges: [`metadata.annotations["${manager}"]`] };
