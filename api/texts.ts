import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "./names";
import { annotationKey, celIsKey, dnsSubdomain, isKey, labelKey, labelValue } from "./patterns";
import { type Rule, celList, formRule } from "./rule";

type Texts = Record<string, string>;

const texts = (description: string, maxLength: number, example: Texts) =>
  Type.Unsafe<Texts>({
    type: "object",
    description,
    maxProperties: 32,
    additionalProperties: { type: "string", maxLength },
    examples: [example],
  });

export const labels = (description: string, example: Texts) => texts(description, 63, example);
export const annotations = (description: string, example: Texts) => texts(description, 16384, example);

/** Valid keys and values of labels. */
export const labelsRule = (path: string): Rule => ({
  path,
  cel: `self.all(k, ${celIsKey(labelKey, "k")} && self[k].matches('${labelValue}'))`,
  message: `${path} must have valid labels: write keys like team or example.com/team, and values of at most 63 letters, digits, '-', '_' and '.' that begin and end with a letter or digit`,
  predicate: (given: Texts) =>
    Object.entries(given).every(([key, value]) => isKey(labelKey, key) && new RegExp(labelValue).test(value)),
});

/** None of the labels that someone else sets. */
export const withoutLabels = (path: string, owned: readonly string[], owner: string): Rule => ({
  path,
  cel: `self.all(k, !(k in ${celList(owned)}))`,
  message: `${path} must not have labels that ${owner} sets (${owned.join(", ")}): remove them`,
  predicate: (given: Texts) => Object.keys(given).every((key) => !owned.includes(key)),
});

/** Valid keys of annotations, without the operator's own. */
export const annotationsRule = (path: string): Rule => ({
  path,
  cel: `self.all(k, ${celIsKey(annotationKey, "k")} && !k.startsWith('${reservedPrefix}'))`,
  message: `${path} must have valid annotation keys that do not begin with ${reservedPrefix}, the operator's own prefix: write them like team or example.com/team`,
  predicate: (given: Texts) =>
    Object.keys(given).every((key) => isKey(annotationKey, key) && !key.startsWith(reservedPrefix)),
});

/** The name of an object of the cluster. */
export const objectName = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 253, examples: [example] });

export const objectNameRule = (path: string, kind: string): Rule =>
  formRule(
    path,
    dnsSubdomain,
    `must be the name of a ${kind}: use lower-case letters, digits, '-' and '.', with a letter or digit at both ends`,
  );
