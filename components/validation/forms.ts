/** Schemas that several arguments share. */
import { Type } from "@sinclair/typebox";
import { clusterDomainForm, isClusterDomain, parseQuantity } from "../../api";
import { annotationKey, dnsLabel, dnsSubdomain, labelKey, labelValue } from "../../api/patterns";

/** A boolean that must be known when the program runs, because the set of resources depends on it. */
export const flag = Type.Boolean({ now: true });

/** Text without white space, such as a URL. */
export const word = (give: string, now = false) => Type.String({ pattern: /^\S+$/.source, give, now });

export const oneOf = (allowed: readonly string[], now = false) => Type.Unsafe<string>({ enum: allowed, now });

/** A namespace's name. */
export const namespace = Type.String({
  pattern: dnsLabel,
  give: "a DNS label, at most 63 lower-case letters, digits and hyphens",
});

/** The name of an object such as a Secret. */
export const objectName = Type.String({
  pattern: `^(?=.{1,253}$)${dnsSubdomain}`,
  give: "an object's name, lower-case letters, digits, hyphens and dots",
});

/** The domain of a cluster's DNS. */
export const clusterDomain = Type.String({ is: isClusterDomain, give: clusterDomainForm });

const map = <T>(key: string, value: object, give: string) =>
  Type.Unsafe<Record<string, T>>({ type: "object", patternProperties: { [key]: value }, give });

/** Labels or a label selector. */
export const labels = map<string>(
  labelKey,
  Type.String({
    pattern: labelValue,
    give: `a string of at most 63 letters, digits, "-", "_" and ".", that starts and ends with a letter or digit`,
  }),
  "a map of strings",
);

export const annotations = map<string>(annotationKey, Type.String(), "a map of strings");

/** Amounts of CPU, memory and the like. */
export const quantities = map<string>(
  labelKey,
  { type: ["string", "number"], is: isQuantity, give: `a quantity such as "100m" or "64Mi"` },
  "a map of quantities",
);

function isQuantity(value: number | string): boolean {
  try {
    return parseQuantity(value) >= 0;
  } catch {
    return false;
  }
}

/** How long to wait. */
export const timeout = Type.Unsafe<string>({
  type: ["string", "number"],
  pattern: /^\s*(?=.*[1-9])(\d+|(\d+(\.\d+)?(ms|s|m|h))+)\s*$/.source,
  give: `a duration such as "90s" or "5m", or a number of seconds`,
  now: true,
});
