import { isDeepStrictEqual } from "node:util";
import { parseQuantity } from "../../../api";

/** The keys by which server-side apply tells the items of a list apart; other lists are one value each. */
const listKeys: Record<string, string[]> = {
  containers: ["name"],
  initContainers: ["name"],
  volumes: ["name"],
  volumeMounts: ["mountPath"],
  env: ["name"],
  imagePullSecrets: ["name"],
  ownerReferences: ["uid"],
  topologySpreadConstraints: ["topologyKey", "whenUnsatisfiable"],
};

/** Fields that the server leaves out when they are false. */
const leftOut = ["publishNotReadyAddresses"];

/**
 * Whether the live object already holds every field of the body: what the API server defaulted and what others added counts
 * for nothing, and quantities are compared by value, since the server rewrites them (2048Mi is 2Gi). `answer` is what the API
 * server has made of the same body before: where a policy rewrites or removes a field, that is as good.
 */
export function fieldsMatch(live: object, body: object, answer?: object): boolean {
  for (const name of Object.keys(body)) {
    // Items of a list come without apiVersion and kind.
    if (name === "apiVersion" || name === "kind") continue;
    if (!holds(get(live, name), get(body, name), { name }, within(answer && { value: answer }, name))) return false;
  }
  return true;
}

/** What the API server had in a place; left out where its answer is not known. */
interface Answer {
  value: unknown;
}

const within = (answer: Answer | undefined, name: string): Answer | undefined =>
  answer && { value: get(answer.value, name) };

/** Where in an object a value stands. */
interface Place {
  name: string;
  within?: Place;
}

function holds(live: unknown, wanted: unknown, place: Place, answer?: Answer): boolean {
  return isAsWanted(live, wanted, place, answer) || (answer !== undefined && isDeepStrictEqual(live, answer.value));
}

function isAsWanted(live: unknown, wanted: unknown, place: Place, answer?: Answer): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted)) return Array.isArray(live) && listHolds(live, wanted, place, answer);
  if (wanted !== null && typeof wanted === "object") {
    if (live === null || typeof live !== "object" || Array.isArray(live)) return false;
    for (const name of Object.keys(wanted))
      if (!holds(get(live, name), get(wanted, name), { name, within: place }, within(answer, name))) return false;
    return true;
  }
  if (wanted === false && live === undefined) return leftOut.includes(place.name);
  return live === wanted || (isQuantity(place) && sameQuantity(live, wanted));
}

function listHolds(live: unknown[], wanted: unknown[], place: Place, answer?: Answer): boolean {
  const keys = keysOf(place);
  // One value: only as a whole it may be as it was answered.
  if (!keys) return live.length === wanted.length && wanted.every((item, i) => holds(live[i], item, place));
  const itemOf = (list: unknown, item: unknown): unknown =>
    Array.isArray(list)
      ? (list as unknown[]).find((candidate) => keys.every((key) => get(candidate, key) === get(item, key)))
      : undefined;
  return wanted.every((item) =>
    holds(itemOf(live, item), item, place, answer && { value: itemOf(answer.value, item) }),
  );
}

function keysOf({ name, within }: Place): string[] | undefined {
  // A Service's ports are told apart by number, a container's by the number inside; protocol counts in both.
  if (name === "ports") return within?.name === "containers" ? ["containerPort", "protocol"] : ["port", "protocol"];
  return listKeys[name];
}

function get(item: unknown, key: string): unknown {
  return (item as Record<string, unknown> | null | undefined)?.[key];
}

function isQuantity({ name, within }: Place): boolean {
  return within?.name === "requests" || within?.name === "limits" || name === "sizeLimit";
}

function sameQuantity(live: unknown, wanted: unknown): boolean {
  try {
    return parseQuantity(String(live)) === parseQuantity(String(wanted));
  } catch {
    return false;
  }
}
