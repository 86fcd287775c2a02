/** What memcached takes as values of its flags and of the options of -o. Source followed: memcached.c 1.6.45, main(). */

/** A number above 0, decimals allowed. */
const positive = "0*(?:[1-9][0-9]{0,8}(?:[.][0-9]{1,9})?|[.][0-9]{0,8}[1-9][0-9]{0,8})";

interface FlagValue {
  /** One, or several that take the same values. */
  letter: string;
  called: string;
  value: string;
  wanted: string;
  like: string;
}

export const flagValueTable: FlagValue[] = [
  {
    letter: "f",
    called: "-f (--slab-growth-factor)",
    value: "0*1[.][0-9]{0,12}[1-9][0-9]{0,12}|0*(?:[2-9]|[1-9][0-9]{1,3})(?:[.][0-9]{1,12})?",
    wanted: "a number above 1",
    like: '["-f", "1.25"]',
  },
  {
    letter: "n",
    called: "-n (--slab-min-size)",
    value: "0*[1-9][0-9]{0,6}",
    wanted: "a number of bytes above 0",
    like: '["-n", "48"]',
  },
  {
    letter: "R",
    called: "-R (--max-reqs-per-event)",
    value: "0*[1-9][0-9]{0,8}",
    wanted: "a whole number above 0",
    like: '["-R", "20"]',
  },
  {
    letter: "b",
    called: "-b (--listen-backlog)",
    value: "[0-9]{1,9}",
    wanted: "a whole number",
    like: '["-b", "1024"]',
  },
  {
    letter: "N",
    called: "-N (--napi-ids)",
    value: "0*[1-9][0-9]{0,2}",
    wanted: "a whole number above 0",
    like: '["-N", "4"]',
  },
  {
    letter: "B",
    called: "-B (--protocol)",
    value: "auto|ascii|binary",
    wanted: "auto, ascii or binary",
    like: '["-B", "ascii"]',
  },
  {
    letter: "D",
    called: "-D",
    value: " *[^ \\n-][^\\n]*|-",
    wanted: "the character that ends a prefix, which is not a blank",
    like: '["-D", ":"]',
  },
  {
    letter: "U",
    called: "-U (--udp-port)",
    value: "0+",
    wanted: "0, for clients reach the servers by TCP only",
    like: '["-U", "0"], or remove it',
  },
  {
    letter: "aPYe",
    called: "-a, -P, -Y and -e (--unix-mask, --pidfile, --auth-file, --memory-file)",
    value: "[^\\n-][^\\n]*",
    wanted: "a value",
    like: '["-a", "700"], or remove the flag',
  },
];

interface OptionValue {
  names: string[];
  /** From the sign of equality on. */
  value: string;
  wanted: string;
  like: string;
}

export const words = (text: string): string[] => text.split(" ");

export const optionValueTable: OptionValue[] = [
  {
    names: ["hashpower"],
    value: "=0*(?:1[2-9]|2[0-9]|3[0-2])",
    wanted: "12 to 32",
    like: "hashpower=20",
  },
  {
    names: ["hash_algorithm"],
    value: "=(?:jenkins|murmur3|xxh3)",
    wanted: "jenkins, murmur3 or xxh3",
    like: "hash_algorithm=xxh3",
  },
  {
    names: ["tail_repair_time"],
    value: "=0*[1-9][0-9]{1,8}",
    wanted: "10 or more seconds",
    like: "tail_repair_time=60",
  },
  {
    names: ["lru_crawler_sleep"],
    value: "=0*(?:[0-9]{1,6}|1000000)",
    wanted: "0 to 1000000 microseconds",
    like: "lru_crawler_sleep=100",
  },
  {
    names: words("hot_lru_pct warm_lru_pct"),
    value: "=0*(?:[1-9]|[1-7][0-9])",
    wanted: "1 to 79",
    like: "hot_lru_pct=20",
  },
  {
    names: words("hot_max_factor warm_max_factor"),
    value: `=${positive}`,
    wanted: "a number above 0",
    like: "hot_max_factor=0.2",
  },
  { names: ["slab_automove"], value: "(?:=0*[0-2])?", wanted: "0, 1 or 2", like: "slab_automove=1" },
  {
    names: ["slab_automove_ratio"],
    value: "=0*(?:1(?:[.]0{1,9})?|[.][0-9]{0,8}[1-9][0-9]{0,8})",
    wanted: "above 0 and at most 1",
    like: "slab_automove_ratio=0.8",
  },
  {
    names: ["slab_automove_window"],
    value: "=0*(?:[3-9]|[1-9][0-9]{1,2}|1[0-7][0-9]{2}|1800)",
    wanted: "3 to 1800",
    like: "slab_automove_window=30",
  },
  {
    names: ["slab_chunk_max"],
    value: "=0*(?:1|2|4|8|16|32|64|128|256|512|1024)",
    wanted: "a power of two of KiB up to 1024, so that it divides a page and every item size",
    like: "slab_chunk_max=512",
  },
  {
    names: words("watcher_logbuf_size worker_logbuf_size"),
    value: "=[0-9]{1,5}",
    wanted: "KiB below 100000",
    like: "worker_logbuf_size=64",
  },
  // What is more does not fit into the number that memcached keeps it in.
  {
    names: ["read_buf_mem_limit"],
    value: "=0*(?:[0-9]{1,3}|1[0-9]{3}|20[0-3][0-9]|204[0-7])",
    wanted: "0 to 2047 MiB",
    like: "read_buf_mem_limit=64",
  },
  {
    names: ["slab_sizes"],
    value: "=[0-9]{2,7}(?:-[0-9]{2,7}){0,61}",
    wanted: "at most 62 sizes in bytes with '-' between them",
    like: "slab_sizes=100-200-300",
  },
  {
    names: words(
      "lru_crawler_tocrawl temporary_ttl idle_timeout sock_cookie_id ssl_keyformat " +
        "ssl_wbuf_size ext_item_size ext_item_age ext_low_ttl ext_recache_rate ext_compact_under ext_drop_under ext_max_sleep",
    ),
    value: "=[0-9]{1,9}",
    wanted: "whole numbers",
    like: "idle_timeout=300",
  },
  {
    names: words("ext_page_size ext_wbuf_size ext_threads ext_io_depth"),
    value: "=0*[1-9][0-9]{0,5}",
    wanted: "whole numbers above 0",
    like: "ext_threads=1",
  },
  {
    names: words("slab_automove_freeratio ext_max_frag"),
    value: "=[0-9]{1,9}(?:[.][0-9]{1,9})?",
    wanted: "numbers",
    like: "slab_automove_freeratio=0.01",
  },
  { names: words("ssl_verify_mode ssl_min_version"), value: "=[0-3]", wanted: "0 to 3", like: "ssl_verify_mode=1" },
  {
    names: words("ssl_chain_cert ssl_key ssl_ciphers ssl_ca_cert proxy_config proxy_arg"),
    value: "=[^,\\n]+",
    wanted: "given a value",
    like: "ssl_key=/tls/tls.key",
  },
  {
    names: ["ext_path"],
    value: "=[^,:\\n]+:0*[1-9][0-9]{0,8}[mgtpMGTP](?::[^,\\n]*)?",
    wanted: "a file and its size",
    like: "ext_path=/data/store:10G",
  },
];
