/** Bounds that both the fields' descriptions and their rules name; those of whole numbers are in the fields' schemas. */

export const memoryBounds = { min: "8Mi", max: "4Ti", step: "1Mi" };

/** memcached's own: a page of slab memory holds two chunks, and larger items are made of whole chunks. */
export const itemSizeBounds = { min: "512Ki", max: "1Gi", step: "512Ki" };

/** Servers that v1alpha1 allows. */
export const deprecatedSizeBounds = { min: 1, max: 3 };

/**
 * What a server needs beside its items at the least: threads, connections, the hash table, and a page of 1Mi for each
 * class of item sizes that it meets only when memory is full.
 */
export const memoryHeadroom = "32Mi";

/** Open files of a server's own, which it takes out of the number of connections. */
export const ownFiles = { each: 5, beside: 12 };
