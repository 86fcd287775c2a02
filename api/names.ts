/** API group of the resource. */
export const group = "cache.example.com";
export const kind = "Memcached";
export const plural = "memcacheds";
export const singular = "memcached";
export const shortNames = ["mc"];
/** The version in which objects are stored, and the one to write. */
export const storedVersion = "v1";
/** The older version, which is still served. */
export const deprecatedVersion = "v1alpha1";
/** Served versions, the preferred one first. */
export const versions = [storedVersion, deprecatedVersion] as const;
/** apiVersion of the stored version. */
export const apiVersion = `${group}/${storedVersion}`;
/** metadata.name of the CustomResourceDefinition. */
export const crdName = `${plural}.${group}`;
/** Prefix of the operator's own labels and annotations. */
export const reservedPrefix = `${group}/`;
