import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../../cluster/paths";

interface Result {
  code: number | null;
  output: string;
}

/** The soak's own place for temporary files: what is left there is what it has left. */
let temporary = "";

function soak(args: readonly string[], onStart?: (interrupt: () => void) => void): Promise<Result> {
  const script = join(repositoryRoot, "scripts", "soak.ts");
  const child = spawn(process.execPath, ["--require", "tsx/cjs", script, ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, TMPDIR: temporary },
  });
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (text.includes("are there and right")) onStart?.(() => child.kill("SIGINT"));
    });
  return new Promise((resolve) =>
    child.once("close", (code) => {
      process.off("exit", kill);
      resolve({ code, output });
    }),
  );
}

const leftOver = () => readdirSync(temporary).filter((name) => name.startsWith("memcached-soak-"));

describe("the soak", () => {
  before(() => (temporary = mkdtempSync(join(tmpdir(), "soak-test-"))));
  after(() => rmSync(temporary, { recursive: true }));

  it("runs for two minutes, after which every resource is right and nothing was asked for without a reason", async function () {
    this.timeout(300_000);
    const { code, output } = await soak(["--minutes", "2", "--resources", "200"]);
    assert.equal(code, 0, output);
    for (const trouble of ["leader killed", "leader ended", "leader paused", "standby killed"])
      assert.match(output, new RegExp(`^${trouble} \\(SIG\\w+\\) +\\d+ times`, "m"));
    assert.match(output, /^API server restarted \(SIGKILL\) +\d+ times/m);
    assert.match(output, /^API server restarted \(SIGTERM\) +\d+ times/m);
    assert.match(output, /^every resource right after the last edit .*\(≤ 90 s: met\)$/m);
    assert.match(output, /^writes for each cause .*: met\)$/m);
    assert.match(output, /^writes in \d+ s of quiet, lease apart +0 /m);
    assert.match(output, /^every bound is met$/m);
    assert.deepEqual(leftOver(), []);
  });

  it("ends all that it has started on Ctrl-C", async function () {
    this.timeout(120_000);
    const { code, output } = await soak(["--minutes", "2", "--resources", "20"], (interrupt) => interrupt());
    assert.equal(code, 130, output);
    assert.match(output, /^interrupted by SIGINT$/m);
    assert.deepEqual(leftOver(), []);
  });

  for (const [args, line] of [
    [["--frobnicate"], /^Unknown option '--frobnicate' \(usage: npm run soak .*\)\n$/],
    [["--minutes", "soon"], /^--minutes=soon: give a whole number from 2 to \d+ \(usage: .*\)\n$/],
    [["--resources", "5"], /^--resources=5: give a whole number from 20 to \d+ \(usage: .*\)\n$/],
    [["now"], /^unexpected argument "now" \(usage: .*\)\n$/],
  ] as const)
    it(`refuses ${args.join(" ")} in one line, with 2`, async () => {
      const { code, output } = await soak(args);
      assert.equal(code, 2);
      assert.match(output, line);
    });

  it("tells its flags", async () => {
    const { code, output } = await soak(["--help"]);
    assert.equal(code, 0);
    assert.match(output, /^usage: npm run soak -- .*--minutes.*--resources.*--seed/);
  });
});
