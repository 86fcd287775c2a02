/** Arguments of memcached, right and wrong: each flag and option with values at and around its bounds. */
import { existsSync, readFileSync } from "node:fs";
import fc from "fast-check";

const list = (text: string): string[] => text.split(" ");

/** -L is for machines that have them, which the API cannot know. */
const hugePages = "/sys/kernel/mm/transparent_hugepage/enabled";
const largePages = existsSync(hugePages) && !readFileSync(hugePages, "utf8").includes("[never]") ? ["-L"] : [];

const bare = [
  ...largePages,
  ...list(
    "-A -Z -k -r -M -C -S -F -X -W --enable-shutdown --disable-evictions --disable-cas --disable-watch -q --nope -AMF -Aq",
  ),
];

const numbers = list("0 1 2 3 4 9 10 11 100 1000000 1000001 4294967296 99999999999999999999 -1 x 1.5 007");
const flagValues: Record<string, string[]> = {
  "-a": list("700 0 x"),
  "-U": list("0 00 1 -1"),
  "-P": ["/nowhere/pid"],
  "-f": list("1 1.0 1.000001 1.05 1.25 2 10 9999 0.9 0 -2 nan inf 1e9 x 1,5 02.50"),
  "-n": [...numbers, "48", "524288", "1048576", "2147483647"],
  "-D": [":", ",", "-", " ", " x", "é", "--"],
  "-R": numbers,
  "-b": numbers,
  "-B": list("auto ascii binary ASCII x"),
  "-Y": ["/nowhere/users"],
  "-e": ["/nowhere/items"],
  "-N": list("0 1 4 5 129 x"),
};

const optionValues: Record<string, string[]> = {
  hashpower: list("0 11 12 13 14 16 17 20 21 24 25 32 33 x 020"),
  hash_algorithm: list("jenkins murmur3 xxh3 md5 XXH3"),
  tail_repair_time: list("0 9 10 60 x"),
  lru_crawler_sleep: list("-1 0 100 1000000 1000001 x"),
  lru_crawler_tocrawl: numbers,
  read_buf_mem_limit: list("0 1 4 2047 2048 4095 4096 4097 x"),
  hot_lru_pct: list("0 1 20 40 41 79 80 x"),
  warm_lru_pct: list("0 1 40 60 61 79 80 x"),
  hot_max_factor: list("0 0.0 0.01 .5 2 -1 x"),
  warm_max_factor: list("0 0.2 2.00 9999 x"),
  temporary_ttl: list("0 61 -1 x"),
  idle_timeout: list("0 1 60 999999999 -1 x"),
  slab_automove: list("0 1 2 3 -1"),
  slab_automove_ratio: list("0 0.1 0.8 1 1.0 1.01 x"),
  slab_automove_window: list("2 3 30 1800 1801 x"),
  slab_automove_freeratio: list("0 0.01 1 x"),
  slab_chunk_max: list("0 1 2 3 16 128 512 1000 1024 1025 2048 x"),
  slab_sizes: list("47 48 100-108 100-109 100-200-300 200-100 48-524288 524289 100-1025 100--200 x"),
  watcher_logbuf_size: [...numbers, "99999", "100000"],
  worker_logbuf_size: [...numbers, "99999", "100000"],
  sock_cookie_id: list("0 1"),
  ssl_verify_mode: list("0 4"),
  ssl_min_version: list("0 4"),
  ext_page_size: list("0 64"),
  ext_threads: list("0 1"),
  ext_path: list("/nowhere/file:1G /nowhere/file"),
  proxy_config: ["/nowhere/proxy.lua"],
};

const bareOptions = list(
  "maxconns_fast no_maxconns_fast no_hashexpand slab_reassign no_slab_reassign no_slab_automove lru_crawler no_lru_crawler " +
    "lru_maintainer no_lru_maintainer track_sizes inline_ascii_resp no_inline_ascii_resp modern no_modern no_chunked_items " +
    "no_drop_privileges drop_privileges resp_obj_mem_limit nonsense modern=1 modern, modern,,modern",
);

const options = [
  ...bareOptions,
  ...Object.keys(optionValues),
  ...Object.entries(optionValues).flatMap(([name, values]) => values.map((value) => `${name}=${value}`)),
];
const flags = Object.entries(flagValues).flatMap(([flag, values]) => values.map((value) => [flag, value]));

/** Every flag without its value and with each, and every option likewise. */
export const catalogue: string[][] = [
  ...bare.map((flag) => [flag]),
  ...[...Object.keys(flagValues), "-o"].map((flag) => [flag]),
  ...flags,
  ...options.map((option) => ["-o", option]),
];

/** Several of them together, in one word or two. */
export const anyArgs: fc.Arbitrary<string[]> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...bare).map((flag) => [flag]),
      fc
        .tuple(fc.constantFrom(...flags), fc.boolean())
        .map(([[flag, value], apart]) => (apart ? [flag!, value!] : [`${flag!}${value!}`])),
      {
        weight: 3,
        arbitrary: fc
          .array(fc.constantFrom(...options), { minLength: 1, maxLength: 3 })
          .map((some) => ["-o", some.join(",")]),
      },
    ),
    { maxLength: 4 },
  )
  .map((parts) => parts.flat());
