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

/** Fields that the API server leaves out when they are false. */
const omittedIfFalse = ["publishNotReadyAddresses"];

/**
 * Whether the observed object already has every field of the body: what the API server defaulted and what others added counts
 * for nothing, and quantities are compared by value, since the server rewrites them (2048Mi is 2Gi). `response` is what the API
 * server has made of the same body before: where a policy rewrites or removes a field, that is as good.
 */
export function fieldsMatch(observed: object, body: object, response?: object): boolean {
  return Object.keys(body).every(
    (name) =>
      // Items of a list come without apiVersion and kind.
      name === "apiVersion" ||
      name === "kind" ||
      matches(get(observed, name), get(body, name), { name }, within(response && { value: response }, name)),
  );
}

/** What the API server had in a place; left out where its response is not known. */
interface Response {
  value: unknown;
}

const within = (response: Response | undefined, name: string): Response | undefined =>
  response && { value: get(response.value, name) };

/** Where in an object a value stands. */
interface Place {
  name: string;
  within?: Place;
}

function matches(observed: unknown, desired: unknown, place: Place, response?: Response): boolean {
  return (
    isAsDesired(observed, desired, place, response) ||
    (response !== undefined && isDeepStrictEqual(observed, response.value))
  );
}

function isAsDesired(observed: unknown, desired: unknown, place: Place, response?: Response): boolean {
  if (desired === undefined) return true;
  if (Array.isArray(desired)) return Array.isArray(observed) && listMatches(observed, desired, place, response);
  if (desired !== null && typeof desired === "object") {
    if (observed === null || typeof observed !== "object" || Array.isArray(observed)) return false;
    return Object.keys(desired).every((name) =>
      matches(get(observed, name), get(desired, name), { name, within: place }, within(response, name)),
    );
  }
  if (desired === false && observed === undefined) return omittedIfFalse.includes(place.name);
  return observed === desired || (isQuantity(place) && isSameQuantity(observed, desired));
}

function listMatches(observed: unknown[], desired: unknown[], place: Place, response?: Response): boolean {
  const keys = keysOf(place);
  // One value: only as a whole it may be as in the response.
  if (!keys) return observed.length === desired.length && desired.every((item, i) => matches(observed[i], item, place));
  const itemOf = (list: unknown, item: unknown): unknown =>
    Array.isArray(list)
      ? (list as unknown[]).find((candidate) => keys.every((key) => get(candidate, key) === get(item, key)))
      : undefined;
  return desired.every((item) =>
    matches(itemOf(observed, item), item, place, response && { value: itemOf(response.value, item) }),
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

function isSameQuantity(one: unknown, other: unknown): boolean {
  try {
    return parseQuantity(String(one)) === parseQuantity(String(other));
  } catch {
    return false;
  }
}
