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

/**
 * Whether the live object already holds every field of the body: what the API server defaulted and what others added counts
 * for nothing, and quantities are compared by value, since the server rewrites them (2048Mi is 2Gi).
 */
export function covers(live: object, body: object): boolean {
  // Items of a list come without apiVersion and kind.
  const fields = Object.keys(body).filter((name) => name !== "apiVersion" && name !== "kind");
  return fields.every((name) => holds(get(live, name), get(body, name), [name]));
}

function holds(live: unknown, wanted: unknown, path: string[]): boolean {
  if (wanted === undefined) return true;
  if (Array.isArray(wanted)) return Array.isArray(live) && listHolds(live, wanted, path);
  if (wanted !== null && typeof wanted === "object") {
    if (live === null || typeof live !== "object" || Array.isArray(live)) return false;
    return Object.entries(wanted).every(([key, value]) => holds(get(live, key), value, [...path, key]));
  }
  return live === wanted || (isQuantity(path) && sameQuantity(live, wanted));
}

function listHolds(live: unknown[], wanted: unknown[], path: string[]): boolean {
  const keys = keysOf(path);
  if (!keys) return live.length === wanted.length && wanted.every((item, i) => holds(live[i], item, path));
  return wanted.every((item) =>
    holds(
      live.find((candidate) => keys.every((key) => get(candidate, key) === get(item, key))),
      item,
      path,
    ),
  );
}

function keysOf(path: string[]): string[] | undefined {
  const name = path.at(-1) ?? "";
  // A Service's ports are told apart by number, a container's by the number inside; protocol counts in both.
  if (name === "ports") return path.includes("containers") ? ["containerPort", "protocol"] : ["port", "protocol"];
  return listKeys[name];
}

function get(item: unknown, key: string): unknown {
  return (item as Record<string, unknown> | null | undefined)?.[key];
}

function isQuantity(path: string[]): boolean {
  return ["requests", "limits"].includes(path.at(-2) ?? "") || path.at(-1) === "sizeLimit";
}

function sameQuantity(live: unknown, wanted: unknown): boolean {
  try {
    return parseQuantity(String(live)) === parseQuantity(String(wanted));
  } catch {
    return false;
  }
}
