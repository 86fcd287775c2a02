import { args, options, type RuleExample } from "./ruleExample";

export const extraArgsExamples: RuleExample[] = [
  {
    sentence: "spec.extraArgs must hold one word an item",
    refused: args(["-o modern"], ["--listen-backlog 100"], ["-F", "-n 48"]),
    allowed: args(["-o", "modern"], ["--listen-backlog=100"], ["two words"]),
  },
  {
    sentence: "spec.extraArgs must not set -p (--port)",
    refused: args(["-p", "11212"], ["-p11212"], ["-Ap1"], ["-FXp1"], ["--port=1"], ["--por"], ["--po=1"], ["--p"]),
    allowed: args(["-Dp"], ["--protocol=ascii"], ["--pidfile=/tmp/p"], ["port"], ["-"], ["--"]),
  },
  {
    sentence: "spec.extraArgs must not set -m (--memory-limit)",
    refused: args(["-m", "1"], ["-m64"], ["--memory-limit=1"], ["--memory-l"], ["--memory-"]),
    allowed: [...args(["-M"]), { image: "m", extraArgs: ["--memory-file=/m", "-e/m"] }],
  },
  {
    sentence: "spec.extraArgs must not set -c (--conn-limit)",
    refused: args(["-c", "1"], ["-Cc9"], ["--conn-limit=1"], ["--c"]),
    allowed: args(["-C"], ["-b1"]),
  },
  {
    sentence: "spec.extraArgs must not set -t (--threads)",
    refused: args(["-t", "1"], ["-t9"], ["--threads=1"], ["--t"]),
    allowed: args(["-otrack_sizes"], ["-R", "9"]),
  },
  {
    sentence: "spec.extraArgs must not set -I (--max-item-size)",
    refused: args(["-I", "2m"], ["-I2m"], ["--max-item-size=2m"], ["--max-i"], ["--max"]),
    allowed: args(["--max-reqs-per-event=2"]),
  },
  {
    sentence: "spec.extraArgs must not set -v (--verbose)",
    refused: args(["-v"], ["-vv"], ["-Av"], ["--verbose"], ["--verb"]),
    allowed: args(["-R5"]),
  },
  {
    sentence: "spec.extraArgs must not set -d (--daemon)",
    refused: args(["-d"], ["-rd"], ["--daemon"], ["--d"]),
    allowed: args(["-D:"], ["-Dd"], ["--disable-cas"]),
  },
  {
    sentence: "spec.extraArgs must not set -u (--user)",
    refused: args(["-u", "root"], ["-uroot"], ["--user=root"], ["--us"]),
    allowed: args(["-U0"], ["--udp-port=0"]),
  },
  {
    sentence: "spec.extraArgs must not set -l (--listen)",
    refused: args(["-l", "127.0.0.1"], ["-l127.0.0.1"], ["--listen=::1"], ["--lis"]),
    allowed: args(["-L"], ["--listen-backlog=1"]),
  },
  {
    sentence: "spec.extraArgs must not set -s (--unix-socket)",
    refused: args(["-s", "/s"], ["-s/s"], ["--unix-socket=/s"], ["--unix-s"], ["--un"]),
    allowed: [...args(["--unix-mask=700"]), { image: "m", extraArgs: ["-S"] }],
  },
  {
    sentence: "spec.extraArgs must not set -h (--help)",
    refused: args(["-h"], ["-Fh"], ["--help"], ["--h"]),
    allowed: args(["-ohashpower=20"]),
  },
  {
    sentence: "spec.extraArgs must not set -i (--license)",
    refused: args(["-i"], ["-Xi"], ["--license"], ["--lic"]),
    allowed: args(["-oidle_timeout=1"]),
  },
  {
    sentence: "spec.extraArgs must not set -V (--version)",
    refused: args(["-V"], ["-WV"], ["--version"], ["--vers"]),
    allowed: args(["-W"]),
  },
  {
    sentence: "spec.extraArgs must not set -k (--lock-memory)",
    refused: args(["-k"], ["-Ak"], ["--lock-memory"], ["--lo"]),
    allowed: args(["-Dk"]),
  },
  {
    sentence: "spec.extraArgs must not set -r (--enable-coredumps)",
    refused: args(["-r"], ["-Mr"], ["--enable-coredumps"], ["--enable-c"]),
    allowed: args(["--enable-shutdown"], ["-R1"]),
  },
  {
    sentence: "spec.extraArgs must hold no tabs, line breaks",
    refused: args(["two\nlines"], ["-F\n"], ["\u0000"], ["-D", "\t"], ["\u007f"]),
    allowed: args(["é"], ["-D", "é"]),
  },
  {
    sentence: "spec.extraArgs must not set -U (--udp-port)",
    refused: args(["-U", "11211"], ["-U11211"], ["-AU1"], ["-U", "0"], ["--udp-port=1"], ["--udp=0"], ["--ud", "1"]),
    allowed: args(["-U0"], ["--udp-port=0"]),
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
];
