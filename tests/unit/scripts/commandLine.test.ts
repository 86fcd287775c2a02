import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..", "..");

/** Runs `npm run <command> -- <args>` as npm does. */
function enter(command: string, args: string[], env: NodeJS.ProcessEnv = process.env) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/enter.mjs", command, ...args], {
    cwd: root,
    env,
    encoding: "utf8",
  });
  return { status, stdout, lines: stderr.trim().split("\n") };
}

describe("command lines", function () {
  this.timeout(20_000);

  const wrong: [string, string[], RegExp][] = [
    ["start", ["--fast"], /^Unknown option '--fast' \(usage: npm start/],
    ["start", ["now"], /^unexpected argument "now" \(usage: npm start/],
    ["stop", ["--name"], /--name.*usage: npm stop/],
    ["cluster", [], /^usage: npm run cluster/],
    ["cluster", ["sideways"], /^usage: npm run cluster/],
    ["cluster", ["status", "--name", "Not_A_Name"], /^--name "Not_A_Name": a cluster's name is/],
    ["test", ["everything"], /^there is no suite "everything" \(usage: npm test/],
    ["image", [], /^usage: npm run image -- IMG/],
    ["deploy", [], /^usage: npm run deploy -- IMG/],
    ["undeploy", ["all"], /^unexpected argument "all" \(usage: npm run undeploy/],
    ["preview", ["--fast"], /^Unknown option '--fast' \(usage: npm run preview/],
    ["build", ["--fast"], /^Unknown option '--fast' \(usage: npm run build/],
    ["format", ["this"], /^unexpected argument "this" \(usage: npm run format/],
    ["lint", ["this"], /^unexpected argument "this" \(usage: npm run lint/],
    ["generate", ["--all"], /^Unknown option '--all' \(usage: npm run generate/],
    ["nothing", [], /^unknown command "nothing"/],
  ];
  for (const [command, args, sentence] of wrong) {
    it(`${command} ${args.join(" ")}: one line and exit code 2`, () => {
      const { status, lines } = enter(command, args);
      assert.equal(lines.length, 1, lines.join("\n"));
      assert.match(lines[0] as string, sentence);
      assert.equal(status, 2);
    });
  }

  const commands = readdirSync(join(root, "scripts")).flatMap((file) => /^(\w+)\.ts$/.exec(file)?.[1] ?? []);
  for (const command of commands)
    it(`${command} --help: its usage, and exit code 0`, () => {
      const { status, stdout, lines } = enter(command, ["--help"]);
      assert.equal(status, 0, lines.join("\n"));
      assert.match(stdout, /^(usage: |  --kubeconfig$)/m);
    });

  it("says in one line what is missing, and what to install", () => {
    const { status, lines } = enter("cluster", ["up"], {
      ...process.env,
      PATH: "/nonexistent",
      XDG_CACHE_HOME: "/nonexistent",
    });
    assert.equal(status, 1);
    assert.equal(lines.length, 1, lines.join("\n"));
    assert.match(lines[0] as string, /install|needs root/);
  });
});
