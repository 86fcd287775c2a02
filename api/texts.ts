import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "./names";
import { annotationKey, celIsKey, dnsSubdomain, isKey, labelKey, labelValue } from "./patterns";
import { type Rule, formRule } from "./rule";

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

/** Labels, or what selects by them. */
export const labelsRule = (path: string): Rule => ({
  path,
  cel: `self.all(k, ${celIsKey(labelKey, "k")} && self[k].matches('${labelValue}'))`,
  message: `${path} must hold labels: keys like team or example.com/team, values of at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends`,
  predicate: (given: Texts) =>
    Object.entries(given).every(([key, value]) => isKey(labelKey, key) && new RegExp(labelValue).test(value)),
});

/** Labels of others alone. */
export const withoutLabels = (path: string, owned: readonly string[], whose: string): Rule => ({
  path,
  cel: `self.all(k, !(k in [${owned.map((label) => `'${label}'`).join(", ")}]))`,
  message: `${path} must not hold labels that ${whose} (${owned.join(", ")}): remove them`,
  predicate: (given: Texts) => Object.keys(given).every((key) => !owned.includes(key)),
});

export const annotationsRules = (path: string): Rule[] => [
  {
    path,
    cel: `self.all(k, ${celIsKey(annotationKey, "k")})`,
    message: `${path} must have keys of annotations: write them like team or example.com/team`,
    predicate: (given: Texts) => Object.keys(given).every((key) => isKey(annotationKey, key)),
  },
  {
    path,
    cel: `self.all(k, !k.startsWith('${reservedPrefix}'))`,
    message: `${path} must not use the prefix ${reservedPrefix}, which is the operator's: choose another`,
    predicate: (given: Texts) => Object.keys(given).every((key) => !key.startsWith(reservedPrefix)),
  },
];

/** The name of an object of the cluster. */
export const objectName = (description: string, example: string) =>
  Type.String({ description, minLength: 1, maxLength: 253, examples: [example] });

export const objectNameRule = (path: string, kind: string): Rule =>
  formRule(
    path,
    dnsSubdomain,
    `must be the name of a ${kind}: lower-case letters, digits, '-' and '.', with a letter or digit at both ends`,
  );
