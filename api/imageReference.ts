/**
 * The grammar of image references, as the kubelet reads them. Source followed: github.com/distribution/reference, and go-digest for the
 * digests that it knows.
 */
const host = "[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?";
const registry = `(?:${host}(?:[.]${host})*|\\[[0-9A-Fa-f:]+\\])(?::[0-9]+)?`;
const pathPart = "[a-z0-9]+(?:(?:[.]|__?|-+)[a-z0-9]+)*";
const tag = "\\w[-\\w.]{0,127}";
const digest = "(?:sha256:[0-9a-f]{64}|sha384:[0-9a-f]{96}|sha512:[0-9a-f]{128})";

export const imageReference = `^(?:${registry}/)?${pathPart}(?:/${pathPart})*(?::${tag})?(?:@${digest})?$`;
