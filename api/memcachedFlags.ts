/** The flags of memcached 1.6.45, by what getopt_long has to know of them. Source followed: memcached.c, main(). */
export interface MemcachedFlag {
  letter: string;
  /** Empty when there is none. */
  long: string;
}

const flags = (list: string): MemcachedFlag[] =>
  list.split(" ").map((each) => ({ letter: each[0]!, long: each.slice(2) }));

/** Those without a value, behind which another may follow in the same word. */
export const bareFlags = flags(
  "A:enable-shutdown Z:enable-ssl M:disable-evictions k:lock-memory h:help i:license V:version r:enable-coredumps " +
    "v:verbose d:daemon L:enable-largepages C:disable-cas S:enable-sasl F:disable-flush-all X:disable-dumping W:disable-watch",
);

/** Their letters, as a class of a regular expression holds them. */
export const bareLetters = bareFlags.map(({ letter }) => letter).join("");

export const valueFlags = flags(
  "a:unix-mask p:port s:unix-socket U:udp-port m:memory-limit c:conn-limit l:listen u:user P:pidfile f:slab-growth-factor " +
    "n:slab-min-size t:threads R:max-reqs-per-event b:listen-backlog B:protocol I:max-item-size " +
    "Y:auth-file e:memory-file o:extended N:napi-ids",
).concat({ letter: "D", long: "" });

/** Options of -o that memcached takes with or without a value, which it does not read. */
export const bareOptions = (
  "maxconns_fast no_maxconns_fast no_hashexpand slab_reassign no_slab_reassign no_slab_automove lru_crawler no_lru_crawler " +
  "lru_maintainer no_lru_maintainer track_sizes inline_ascii_resp no_inline_ascii_resp modern no_modern no_chunked_items " +
  "no_drop_privileges drop_privileges resp_obj_mem_limit ssl_session_cache ssl_kernel_tls proxy_uring proxy_memprofile " +
  "ext_drop_unread"
).split(" ");

/** Beginnings of the options of -o that need files, or a build of memcached, which only an image of one's own has. */
export const imageOptions = ["ssl_", "ext_", "proxy_"];
/** Flags of the same kind. */
export const imageFlags = { bare: "SZ", value: "Ye" };
