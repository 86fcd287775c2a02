import { args } from "./args";
import { childLabels } from "./childLabels";
import { disruptionBudget } from "./disruptionBudget";
import type { Context, Field, Parts } from "./field";
import { image } from "./image";
import { networkPolicy } from "./networkPolicy";
import { placement } from "./placement";
import { podMetadata } from "./podMetadata";
import { resources } from "./resources";
import { rollout } from "./rollout";
import { secretFiles } from "./secretFiles";
import { service } from "./service";
import { serviceAccountName } from "./serviceAccountName";

/** The order is part of the hash of a body: add new fields at the end. */
const fields: Field[] = [
  image,
  args,
  resources,
  rollout,
  placement,
  podMetadata,
  service,
  childLabels,
  serviceAccountName,
  secretFiles,
  disruptionBudget,
  networkPolicy,
];

/** A part of a child, made of all fields. */
export function partOf<Part extends keyof Parts>(part: Part, context: Context): Parts[Part] {
  return Object.assign({}, ...fields.map((field) => field[part]?.(context))) as Parts[Part];
}

/** The Memcached's field that determines a field of a child; undefined if there is none. */
export function originOf(inChild: string): string | undefined {
  const origin = fields.flatMap(({ origins = [] }) => origins).find(([regexp]) => regexp.test(inChild));
  return origin && inChild.replace(...origin);
}
