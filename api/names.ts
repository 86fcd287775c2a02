/** API group of the resource. */
export const group = "cache.example.com";
export const kind = "Memcached";
export const plural = "memcacheds";
export const singular = "memcached";
export const shortNames = ["mc"];
/** The version objects are stored in, and the one to write. */
export const storedVersion = "v1";
/** The version that is still served for those who began with it. */
export const deprecatedVersion = "v1alpha1";
/** Served versions, the preferred one first. */
export const versions = [storedVersion, deprecatedVersion] as const;
/** apiVersion of the stored version. */
export const apiVersion = `${group}/${storedVersion}`;
/** metadata.name of the CustomResourceDefinition. */
export const crdName = `${plural}.${group}`;
/** What the operator's own labels and annotations begin with. */
export const reservedPrefix = `${group}/`;
