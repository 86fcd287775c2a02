import { args, options, type RuleExample } from "./ruleExample";

/** A flag with each of the values, in the ways to write it. */
const each = (letter: string, long: string, values: string[]) =>
  args(
    ...values.flatMap((value) => [
      [`-${letter}`, value],
      [`-M${letter}${value}`],
      [`--${long}=${value}`],
      [`--${long}`, value],
    ]),
  );

const noValue = (letter: string, long: string) =>
  args([`-${letter}`], [`--${long}`], ["-A", `-M${letter}`], [`-${letter}`, "-A"]);

const image = "registry.example.com/memcached:2";

export const argExamples: RuleExample[] = [
  {
    sentence: "spec.extraArgs must hold no tabs, line breaks",
    refused: args(["two\nlines"], ["-F\n"], ["\u0000"], ["-D", "\t"], ["\u007f"]),
    allowed: args(["é"], ["-D", "é"]),
  },
  {
    sentence: "spec.extraArgs -f (--slab-growth-factor) must be followed by a number above 1",
    refused: [
      ...each("f", "slab-growth-factor", ["1", "1.0", "0.9", "nan", "x", "1,5"]),
      ...noValue("f", "slab-growth-factor"),
    ],
    allowed: each("f", "slab-growth-factor", ["1.25", "1.000001", "2", "10", "02.0", "1.10"]),
  },
  {
    sentence: "spec.extraArgs -n (--slab-min-size) must be followed by a number of bytes above 0",
    refused: [...each("n", "slab-min-size", ["0", "00", "x", "1k", "99999999"]), ...noValue("n", "slab-min-size")],
    allowed: each("n", "slab-min-size", ["1", "48", "1048576"]),
  },
  {
    sentence: "spec.extraArgs -R (--max-reqs-per-event) must be followed by a whole number above 0",
    refused: [...each("R", "max-reqs-per-event", ["0", "x", "1.5"]), ...noValue("R", "max-reqs-per-event")],
    allowed: each("R", "max-reqs-per-event", ["1", "20", "100000"]),
  },
  {
    sentence: "spec.extraArgs -b (--listen-backlog) must be followed by a whole number",
    refused: [...each("b", "listen-backlog", ["x", "1k"]), ...noValue("b", "listen-backlog")],
    allowed: each("b", "listen-backlog", ["0", "4096"]),
  },
  {
    sentence: "spec.extraArgs -N (--napi-ids) must be followed by a whole number above 0",
    refused: [...each("N", "napi-ids", ["0", "x"]), ...noValue("N", "napi-ids")],
    allowed: each("N", "napi-ids", ["1", "4"]),
  },
  {
    sentence: "spec.extraArgs -N (--napi-ids) must be at most spec.threads",
    refused: [...each("N", "napi-ids", ["5"]), { threads: 8, extraArgs: ["-N", "9"] }],
    allowed: [{ threads: 8, extraArgs: ["-N", "8"] }],
  },
  {
    sentence: "spec.extraArgs -B (--protocol) must be followed by auto, ascii or binary",
    refused: [...each("B", "protocol", ["ASCII", "http", "asciii"]), ...noValue("B", "protocol")],
    allowed: each("B", "protocol", ["auto", "ascii", "binary"]),
  },
  {
    sentence: "spec.extraArgs -D must be followed by the character that ends a prefix",
    refused: args(["-D"], ["-D", " "], ["-AD"]),
    allowed: args(["-D", ":"], ["-D:"], ["-D", ","], ["-D", "-"], ["-D", " /"]),
  },
  {
    sentence: "spec.extraArgs -U (--udp-port) must be followed by 0",
    refused: [...each("U", "udp-port", ["11211", "1"]), ...noValue("U", "udp-port")],
    allowed: each("U", "udp-port", ["0"]),
  },
  {
    sentence:
      "spec.extraArgs -a, -P, -Y and -e (--unix-mask, --pidfile, --auth-file, --memory-file) must be followed by a value",
    refused: [...noValue("a", "unix-mask"), ...noValue("P", "pidfile"), ...args(["--pidfile="])],
    allowed: [...each("a", "unix-mask", ["700"]), ...each("P", "pidfile", ["/tmp/pid"])],
  },
  {
    sentence: "spec.extraArgs must hold one of -B, -S, -Y and -o proxy_config at most",
    refused: [
      ...args(["-B", "ascii", "-B", "binary"]),
      { image, extraArgs: ["-S", "-B", "ascii"] },
      { image, extraArgs: ["-Y", "/users", "--protocol", "binary"] },
      { image, extraArgs: ["-o", "modern,proxy_config=/proxy.lua", "--enable-sasl"] },
    ],
    allowed: [
      { image, extraArgs: ["-Y/users"] },
      { image, extraArgs: ["-o", "proxy_config=/proxy.lua,proxy_arg=/a"] },
    ],
  },
  {
    sentence: "spec.extraArgs must hold flags that memcached 1.6.45 has",
    refused: args(
      ["-q"],
      ["--nope"],
      ["-A-"],
      ["-1"],
      ["--disable-cas=1"],
      ["--disable-c"],
      ["-A=1"],
      ["--slab-growth"],
    ),
    allowed: [...args(["-AMCFXW"], ["--disable-cas", "--listen-backlog", "9"]), { image, extraArgs: ["--new", "-q"] }],
  },
  {
    sentence: "spec.extraArgs -o must be followed by options that memcached 1.6.45 has",
    refused: [
      ...options("nonsense", "modern,nonsense", ",", "modern,,modern", "-x", " modern", "hash_power=20"),
      ...args(["-o"], ["--extended="], ["-o", "modern", "-o", "x"]),
    ],
    allowed: [
      ...options("modern,", "modern", "maxconns_fast,hash_algorithm=xxh3,no_lru_crawler"),
      ...args(["-o", "modern", "-o", "no_modern"], ["-Aomodern"], ["--extended=modern"]),
      { image, extraArgs: ["-o", "new_option=1"] },
    ],
  },
  {
    sentence: "spec.extraArgs -S, -Z, -Y, -e and the ssl_, ext_ and proxy_ options of -o need files",
    refused: [
      ...args(["-S"], ["-AZ"], ["-Y", "/users"], ["-e/dev/shm/items"], ["--enable-ssl"], ["--auth-file=/users"]),
      ...options("ext_path=/data:1G", "modern,ssl_key=/key", "proxy_config=/proxy.lua"),
    ],
    allowed: [
      { image, extraArgs: ["-Z", "-o", "ssl_chain_cert=/cert"] },
      { image, extraArgs: ["-Y", "/users"] },
    ],
  },
  {
    sentence: "spec.extraArgs -L (--enable-largepages) must have a spec.memory of 64Mi or more",
    refused: [
      { memory: "63Mi", extraArgs: ["-L"] },
      { memory: "8Mi", extraArgs: ["--enable-largepages"] },
    ],
    allowed: [{ memory: "64Mi", extraArgs: ["-L"] }],
  },
];
