import { args, options, type RuleExample } from "./ruleExample";

const image = "registry.example.com/memcached:2";

/** The options of -o. */
export const optionExamples: RuleExample[] = [
  {
    sentence: "spec.extraArgs -o hashpower must be 12 to 32",
    refused: options("hashpower", "hashpower=", "hashpower=11", "hashpower=33", "hashpower=x", "modern,hashpower=1"),
    allowed: [...options("hashpower=13", "modern,hashpower=20"), { memory: "256Gi", extraArgs: ["-ohashpower=32"] }],
  },
  {
    sentence: "spec.extraArgs -o hashpower must be at least 12 with up to 3 of spec.threads",
    refused: [
      ...options("hashpower=12"),
      ...(
        [
          [5, 13],
          [11, 14],
          [21, 15],
        ] as const
      ).map(([threads, power]) => ({ threads, extraArgs: [`-ohashpower=${power}`] })),
    ],
    allowed: (
      [
        [3, 12],
        [4, 13],
        [10, 14],
        [20, 15],
        [128, 16],
      ] as const
    ).map(([threads, power]) => ({
      threads,
      extraArgs: ["--extended", `hashpower=${power}`],
    })),
  },
  {
    sentence: "spec.extraArgs -o hashpower must make a hash table of at most a sixth of spec.memory",
    refused: [
      ...options("hashpower=21", "hashpower=32"),
      { memory: "8Mi", extraArgs: ["-o", "hashpower=18"] },
      { extraArgs: ["-o", "hashpower=21"], resources: { requests: { memory: "1Gi" }, limits: { cpu: 1 } } },
    ],
    allowed: [
      { memory: "8Mi", extraArgs: ["-o", "hashpower=17"] },
      { memory: "1Gi", extraArgs: ["-o", "hashpower=24"] },
      { extraArgs: ["-o", "hashpower=21"], resources: { limits: { memory: "1Gi" } } },
    ],
  },
  {
    sentence: "spec.extraArgs -o hash_algorithm must be jenkins, murmur3 or xxh3",
    refused: options("hash_algorithm", "hash_algorithm=md5", "hash_algorithm=xxh32"),
    allowed: options("hash_algorithm=jenkins", "hash_algorithm=murmur3,modern", "hash_algorithm=xxh3"),
  },
  {
    sentence: "spec.extraArgs -o tail_repair_time must be 10 or more seconds",
    refused: options("tail_repair_time", "tail_repair_time=9", "tail_repair_time=x"),
    allowed: options("tail_repair_time=10"),
  },
  {
    sentence: "spec.extraArgs -o lru_crawler_sleep must be 0 to 1000000 microseconds",
    refused: options("lru_crawler_sleep", "lru_crawler_sleep=1000001", "lru_crawler_sleep=-1"),
    allowed: options("lru_crawler_sleep=0", "lru_crawler_sleep=1000000", "lru_crawler,lru_crawler_sleep=9"),
  },
  {
    sentence: "spec.extraArgs -o hot_lru_pct, warm_lru_pct must be 1 to 79",
    refused: options("hot_lru_pct=0", "warm_lru_pct=80", "hot_lru_pct"),
    allowed: options("hot_lru_pct=1", "warm_lru_pct=60", "warm_lru_pct=1,hot_lru_pct=79"),
  },
  {
    sentence: "spec.extraArgs -o hot_lru_pct (20 when left out) and warm_lru_pct (40) must be at most 80 together",
    refused: options("hot_lru_pct=41", "warm_lru_pct=61", "hot_lru_pct=50,warm_lru_pct=31"),
    allowed: options("hot_lru_pct=40", "hot_lru_pct=50,warm_lru_pct=30", "hot_lru_pct=10,warm_lru_pct=70"),
  },
  {
    sentence: "spec.extraArgs -o hot_max_factor, warm_max_factor must be a number above 0",
    refused: options("hot_max_factor=0", "warm_max_factor=0.0", "hot_max_factor", "hot_max_factor=x"),
    allowed: options("hot_max_factor=0.2,warm_max_factor=2", "hot_max_factor=.5", "warm_max_factor=10.25"),
  },
  {
    sentence: "spec.extraArgs -o slab_automove must be 0, 1 or 2",
    refused: options("slab_automove=3", "slab_automove=-1", "slab_automove="),
    allowed: options("slab_automove", "slab_automove=0", "slab_automove=2,modern"),
  },
  {
    sentence: "spec.extraArgs -o slab_automove_ratio must be above 0 and at most 1",
    refused: options("slab_automove_ratio", "slab_automove_ratio=0", "slab_automove_ratio=1.1"),
    allowed: options("slab_automove_ratio=1", "slab_automove_ratio=0.8"),
  },
  {
    sentence: "spec.extraArgs -o slab_automove_window must be 3 to 1800",
    refused: options("slab_automove_window", "slab_automove_window=2", "slab_automove_window=1801"),
    allowed: options("slab_automove_window=3", "slab_automove_window=1800", "slab_automove,slab_automove_window=99"),
  },
  {
    sentence: "spec.extraArgs -o slab_chunk_max must be a power of two of KiB",
    refused: options(
      "slab_chunk_max",
      "slab_chunk_max=0",
      "slab_chunk_max=3",
      "slab_chunk_max=2048",
      "slab_chunk_max=x",
    ),
    allowed: options("slab_chunk_max=1", "slab_chunk_max=16", "slab_chunk_max=1024"),
  },
  {
    sentence:
      "spec.extraArgs -o slab_chunk_max=1024, no_chunked_items and no_modern must have a spec.maxItemSize of whole mebibytes",
    refused: ["slab_chunk_max=1024", "no_chunked_items", "modern,no_modern"].flatMap((option) =>
      ["512Ki", "1.5Mi"].map((maxItemSize) => ({ maxItemSize, extraArgs: ["-o", option] })),
    ),
    allowed: [
      { maxItemSize: "2Mi", extraArgs: ["-o", "slab_chunk_max=1024,no_modern"] },
      { maxItemSize: "512Ki", extraArgs: ["-o", "slab_chunk_max=512,modern"] },
    ],
  },
  {
    sentence: "spec.extraArgs -o slab_sizes must be at most 62 sizes in bytes",
    refused: options(
      "slab_sizes",
      "slab_sizes=",
      "slab_sizes=x",
      "slab_sizes=100--200",
      Array.from({ length: 63 }, (_, i) => 1000 + 10 * i)
        .join("-")
        .replace(/^/, "slab_sizes="),
    ),
    allowed: options(
      "slab_sizes=48",
      "slab_sizes=100-200-300",
      Array.from({ length: 62 }, (_, i) => 1000 + 10 * i)
        .join("-")
        .replace(/^/, "slab_sizes="),
    ),
  },
  {
    sentence: "spec.extraArgs -o slab_sizes must rise by more than 8 bytes each",
    refused: options(
      "slab_sizes=47",
      "slab_sizes=100-108",
      "slab_sizes=200-100",
      "slab_sizes=524289",
      "slab_chunk_max=1,slab_sizes=99-1025",
    ),
    allowed: options("slab_sizes=100-109", "slab_sizes=48-524288", "slab_sizes=99-1024,slab_chunk_max=1"),
  },
  {
    sentence: "spec.extraArgs -o slab_sizes must be given once",
    refused: [...options("slab_sizes=100,slab_sizes=200"), ...args(["-o", "slab_sizes=100", "-oslab_sizes=100"])],
    allowed: options("slab_sizes=100-200"),
  },
  {
    sentence: "spec.extraArgs must not hold -o slab_sizes together with -n (--slab-min-size)",
    refused: args(["-n", "100", "-o", "slab_sizes=100-200"]),
    allowed: args(["-f", "2", "-o", "slab_sizes=100-200"]),
  },
  {
    sentence: "spec.extraArgs must not hold -o temporary_ttl together with no_lru_maintainer or no_modern",
    refused: options("temporary_ttl=9,no_lru_maintainer", "no_modern,temporary_ttl=9"),
    allowed: options("temporary_ttl=9,lru_maintainer", "no_lru_maintainer"),
  },
  {
    sentence: "spec.extraArgs -o lru_crawler_tocrawl, temporary_ttl, idle_timeout",
    refused: options("idle_timeout", "idle_timeout=x", "lru_crawler_tocrawl=-1", "sock_cookie_id"),
    allowed: options("idle_timeout=300,temporary_ttl=61", "sock_cookie_id=1"),
  },
  {
    sentence: "spec.extraArgs -o watcher_logbuf_size, worker_logbuf_size must be KiB below 100000",
    refused: options("worker_logbuf_size", "worker_logbuf_size=1k", "watcher_logbuf_size=100000"),
    allowed: options("worker_logbuf_size=64,watcher_logbuf_size=256"),
  },
  {
    sentence: "spec.extraArgs -o read_buf_mem_limit must be 0 to 2047 MiB",
    refused: options("read_buf_mem_limit", "read_buf_mem_limit=2048", "read_buf_mem_limit=4097"),
    allowed: options("read_buf_mem_limit=0", "read_buf_mem_limit=2047"),
  },
  {
    sentence: "spec.extraArgs -o read_buf_mem_limit must be 0 or at least 1 for each 32 of spec.threads",
    refused: [
      { threads: 33, extraArgs: ["-o", "read_buf_mem_limit=1"] },
      { threads: 128, extraArgs: ["-o", "modern,read_buf_mem_limit=3"] },
    ],
    allowed: [
      { threads: 32, extraArgs: ["-o", "read_buf_mem_limit=1"] },
      { threads: 128, extraArgs: ["-o", "read_buf_mem_limit=0"] },
    ],
  },
  {
    sentence: "spec.extraArgs -o ext_page_size, ext_wbuf_size, ext_threads, ext_io_depth must be whole numbers above 0",
    refused: [{ image, extraArgs: ["-o", "ext_page_size=0"] }],
    allowed: [{ image, extraArgs: ["-o", "ext_page_size=64,ext_threads=2"] }],
  },
  {
    sentence: "spec.extraArgs -o slab_automove_freeratio, ext_max_frag must be numbers",
    refused: options("slab_automove_freeratio", "slab_automove_freeratio=x"),
    allowed: options("slab_automove_freeratio=0.01"),
  },
  {
    sentence: "spec.extraArgs -o ssl_verify_mode, ssl_min_version must be 0 to 3",
    refused: [{ image, extraArgs: ["-Z", "-o", "ssl_verify_mode=4"] }],
    allowed: [{ image, extraArgs: ["-Z", "-o", "ssl_verify_mode=2,ssl_min_version=3,ssl_keyformat=1"] }],
  },
  {
    sentence:
      "spec.extraArgs -o ssl_chain_cert, ssl_key, ssl_ciphers, ssl_ca_cert, proxy_config, proxy_arg must be given a value",
    refused: [{ image, extraArgs: ["-Z", "-o", "ssl_chain_cert=,ssl_key=/key"] }],
    allowed: [{ image, extraArgs: ["-Z", "-o", "ssl_chain_cert=/cert,ssl_key=/key"] }],
  },
  {
    sentence: "spec.extraArgs -o ext_path must be a file and its size",
    refused: ["/data", "/data:0G", "/data:1", ":1G"].map((path) => ({ image, extraArgs: ["-o", `ext_path=${path}`] })),
    allowed: ["/data:10G", "/data:64m:1"].map((path) => ({ image, extraArgs: ["-o", `ext_path=${path}`] })),
  },
  {
    sentence: "spec.extraArgs -o drop_privileges must not be set",
    refused: options("drop_privileges", "modern,drop_privileges,modern"),
    allowed: options("no_drop_privileges"),
  },
];
