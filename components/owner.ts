import { getOrganization, getProject, getStack } from "@pulumi/pulumi";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import { createHash } from "node:crypto";
import { group } from "../api";
import { lift } from "./lift";
import type { KubeManifest } from "./manifests";

const manager = "pulumi.com/patchFieldManager";

/** The API server's limit for a field manager's name. */
const longestManager = 128;

/**
 * The owner of an install: the component and its stack. It stays the same for all updates of the stack, and differs for every other
 * stack.
 */
export function ownerOf(name: string): string {
  const stack = [organization(), getProject(), getStack()].filter(Boolean).join("/");
  const whole = `MemcachedOperator ${name} of stack ${stack}`;
  if (whole.length <= longestManager) return whole;
  const rest = `… ${createHash("sha256").update(whole).digest("hex").slice(0, 16)}`;
  return whole.slice(0, longestManager - rest.length) + rest;
}

/** Programs that run on mocks have none. */
function organization(): string | undefined {
  try {
    return getOrganization();
  } catch {
    return undefined;
  }
}

/**
 * Sets the owner as the object's field manager. If another stack applies the object, the API server reports a conflict with this
 * name.
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
 * An existing object keeps its field manager if the stack or the component is renamed, because two managers of one stack would
 * conflict.
 */
export const ownedOptions: CustomResourceOptions = { ignoreChanges: [`metadata.annotations["${manager}"]`] };
