/** The forms of Kubernetes names and labels, as regular expressions for JavaScript and CEL. */
const label = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const word = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
const domain = `${label}([.]${label})*`;

/** The name of a namespace. */
export const dnsLabel = "^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$";
/** The name of most objects; they have at most 253 characters. */
export const dnsSubdomain = `^${domain}$`;
export const labelKey = `^(${domain}/)?${word}$`;
/** Like a label key, but the prefix may have upper-case letters. */
export const annotationKey = `^(${domain.replaceAll("a-z", "A-Za-z")}/)?${word}$`;
export const labelValue = `^(${word})?$`;

/** The name of a Memcached. The Service and the pods are named after it. */
export const memcachedName = "^[a-z]([-a-z0-9]{0,50}[a-z0-9])?$";

/** A prefix of 253 characters, the slash, and a name of 63. */
const longestKey = 317;

/** Whether the text is a label key or annotation key. */
export const isKey = (regexp: string, key: string): boolean => key.length <= longestKey && new RegExp(regexp).test(key);
/** The same check in CEL, for the expression `key`. */
export const celIsKey = (regexp: string, key: string): string =>
  `size(${key}) <= ${longestKey} && ${key}.matches('${regexp}')`;

/*
 * The grammar of image references, as the kubelet parses them. Sources followed: github.com/distribution/reference, and
 * go-digest for the supported digests.
 */
const host = "[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?";
const registry = `(?:${host}(?:[.]${host})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]+)?`;
const pathPart = "[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*";
const tag = "\\w[-\\w.]{0,127}";
const digest = "(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})";

export const imageReference = `^(?:${registry}/)?${pathPart}(?:/${pathPart})*(?::${tag})?(?:@${digest})?$`;
