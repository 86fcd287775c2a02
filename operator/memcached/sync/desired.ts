import type { Memcached } from "../../../api";
import type { Key, KubeObject } from "../../runtime";
import { keyOf } from "../../runtime";
import type { Child, Environment } from "../children/child";
import { type Desired, withHash } from "./drift";

/** One child, as its Memcached wants it. */
export interface DesiredChild extends Desired {
  key: Key;
  /** UID of the Memcached, which the body has in its controller reference. */
  ownerUid: string;
}

/** A spec that no body can be made of; the message names the field. */
export class InvalidSpecError extends Error {}

/** A child of a Memcached, its body made at most once. `body` throws an `InvalidSpecError` for a spec that makes none. */
export function desiredChild(
  memcached: Memcached,
  child: Child,
  environment: Environment,
  takesOver = false,
): DesiredChild {
  const { uid = "", generation } = memcached.metadata;
  let body: KubeObject | undefined;
  return {
    key: keyOf(memcached),
    ownerUid: uid,
    revision: `${uid}/${generation}/${numberOf(environment)}/${takesOver}`,
    body: () => (body ??= withHash(bodyOf(() => child.body(memcached, environment, takesOver)))),
  };
}

function bodyOf(make: () => KubeObject): KubeObject {
  try {
    return make();
  } catch (error) {
    throw new InvalidSpecError(`spec: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const numbers = new WeakMap<Environment, number>();
let last = 0;

function numberOf(environment: Environment): number {
  let number = numbers.get(environment);
  if (number === undefined) numbers.set(environment, (number = ++last));
  return number;
}
