/** Kubernetes' own rules for keys and values of labels; an annotation's key may have capitals in its prefix. */
const word = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";

/** A DNS subdomain, as the names of most objects are. */
export const domain = "[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*";
export const labelKey = `^(${domain}/)?${word}$`;
export const annotationKey = `^(${domain.replaceAll("a-z", "A-Za-z")}/)?${word}$`;
export const labelValue = `^(${word})?$`;

/** A prefix of 253 characters, the slash, and a name of 63. */
const longestKey = 317;

export const isKey = (regexp: string, key: string): boolean => key.length <= longestKey && new RegExp(regexp).test(key);
/** The same in CEL, of the expression `key`. */
export const celIsKey = (regexp: string, key: string): string =>
  `size(${key}) <= ${longestKey} && ${key}.matches('${regexp}')`;
