import { args, options, type RuleExample } from "./ruleExample";

export const extraArgsExamples: RuleExample[] = [
  {
    sentence: "spec.extraArgs must have one word per item, without control characters",
    refused: [
      ...args(["-o modern"], ["--listen-backlog 100"], ["-F", "-n 48"]),
      ...args(["two\nlines"], ["-F\n"], ["\u0000"], ["-D", "\t"], ["\u007f"]),
    ],
    allowed: args(["-o", "modern"], ["--listen-backlog=100"], ["two words"], ["é"], ["-D", "é"]),
  },
  {
    sentence:
      "spec.extraArgs must not set flags that have a field: use port instead of -p (--port), memory instead of -m",
    refused: [
      ...args(["-p", "11212"], ["-p11212"], ["-Ap1"], ["-FXp1"], ["--port=1"], ["--por"], ["--po=1"], ["--p"]),
      ...args(["-m", "1"], ["-m64"], ["--memory-limit=1"], ["--memory-l"], ["--memory-"]),
      ...args(["-c", "1"], ["-Cc9"], ["--conn-limit=1"], ["--c"]),
      ...args(["-t", "1"], ["-t9"], ["--threads=1"], ["--t"]),
      ...args(["-I", "2m"], ["-I2m"], ["--max-item-size=2m"], ["--max-i"], ["--max"]),
      ...args(["-v"], ["-vv"], ["-Av"], ["--verbose"], ["--verb"]),
    ],
    allowed: [
      ...args(["-Dp"], ["--protocol=ascii"], ["--pidfile=/tmp/p"], ["port"], ["-"], ["--"]),
      ...args(["-M"]),
      { image: "m", extraArgs: ["--memory-file=/m", "-e/m"] },
      ...args(["-C"], ["-b1"]),
      ...args(["-otrack_sizes"], ["-R", "9"]),
      ...args(["--max-reqs-per-event=2"]),
      ...args(["-R5"]),
    ],
  },
  {
    sentence: "spec.extraArgs must not set -d (--daemon), -u (--user)",
    refused: [
      ...args(["-d"], ["-rd"], ["--daemon"], ["--d"]),
      ...args(["-u", "root"], ["-uroot"], ["--user=root"], ["--us"]),
      ...args(["-l", "127.0.0.1"], ["-l127.0.0.1"], ["--listen=::1"], ["--lis"]),
      ...args(["-s", "/s"], ["-s/s"], ["--unix-socket=/s"], ["--unix-s"], ["--un"]),
      ...args(["-h"], ["-Fh"], ["--help"], ["--h"]),
      ...args(["-i"], ["-Xi"], ["--license"], ["--lic"]),
      ...args(["-V"], ["-WV"], ["--version"], ["--vers"]),
      ...args(["-k"], ["-Ak"], ["--lock-memory"], ["--lo"]),
      ...args(["-r"], ["-Mr"], ["--enable-coredumps"], ["--enable-c"]),
      ...args(["-U", "11211"], ["-U11211"], ["-AU1"], ["-U", "0"], ["--udp-port=1"], ["--udp=0"], ["--ud", "1"]),
    ],
    allowed: [
      ...args(["-D:"], ["-Dd"], ["--disable-cas"]),
      ...args(["-U0"], ["--udp-port=0"]),
      ...args(["-L"], ["--listen-backlog=1"]),
      ...args(["--unix-mask=700"]),
      { image: "m", extraArgs: ["-S"] },
      ...args(["-ohashpower=20"]),
      ...args(["-oidle_timeout=1"]),
      ...args(["-W"]),
      ...args(["-Dk"]),
      ...args(["--enable-shutdown"], ["-R1"]),
      ...args(["-U0"], ["--udp-port=0"]),
    ],
  },
  {
    sentence:
      "spec.extraArgs -o read_buf_mem_limit must be 0, or at least 1 for each 32 of spec.threads and at most 2047",
    refused: [
      ...options("read_buf_mem_limit=2048", "modern,read_buf_mem_limit=4096"),
      { threads: 33, extraArgs: ["-oread_buf_mem_limit=1"] },
      { threads: 128, extraArgs: ["--extended", "read_buf_mem_limit=3"] },
    ],
    allowed: [
      ...options("read_buf_mem_limit=0", "read_buf_mem_limit=1,modern", "read_buf_mem_limit=2047"),
      { threads: 33, extraArgs: ["-o", "read_buf_mem_limit=2"] },
    ],
  },
  {
    sentence:
      "spec.extraArgs -o hashpower must make a hash table (8 bytes for each of 2^hashpower entries) of at most a sixth of spec.memory",
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
];
