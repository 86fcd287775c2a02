/** Where things live outside the work tree: what can be built again, and what a cluster keeps while it is up. */
import { homedir } from "node:os";
import { join } from "node:path";

/** The repository's root. */
export const repositoryRoot = join(__dirname, "..");

/** Built tools and images. `$XDG_CACHE_HOME/memcached-operator`, `~/.cache/memcached-operator` by default. */
export function cacheDir(): string {
  return join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "memcached-operator");
}

/** Clusters' state, a folder each. `$XDG_STATE_HOME/memcached-operator`, `~/.local/state/memcached-operator` by default. */
export function clustersDir(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), ".local", "state"), "memcached-operator", "clusters");
}
