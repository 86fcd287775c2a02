import assert from "node:assert/strict";
import { UsageError, checkClusterDomain, checkNamespaces, helpText, parseFlags } from "../../../operator/flags";

const flags = (...args: string[]) => {
  const command = parseFlags(args);
  assert.ok("run" in command);
  return command.run;
};

describe("the command line", () => {
  it("has the guides' defaults", () => {
    const given = flags();
    assert.equal(given["metrics-bind-address"], "0");
    assert.equal(given["metrics-secure"], true);
    assert.equal(given["health-probe-bind-address"], ":8081");
    assert.equal(given["leader-elect"], false);
    assert.equal(given["enable-http2"], false);
    assert.equal(given["log-level"], "info");
    assert.equal(given.kubeconfig, undefined);
  });

  it("takes flags as Go does: one dash or two, the value after = or apart, switches bare or with a value", () => {
    const given = flags(
      "-metrics-bind-address=:8080",
      "--kubeconfig",
      "/k",
      "--leader-elect",
      "--metrics-secure=false",
    );
    assert.equal(given["metrics-bind-address"], ":8080");
    assert.equal(given.kubeconfig, "/k");
    assert.equal(given["leader-elect"], true);
    assert.equal(given["metrics-secure"], false);
  });

  it("knows zap's names for the log", () => {
    assert.equal(flags("--zap-log-level=error")["log-level"], "error");
    assert.equal(flags("--zap-log-level=5")["log-level"], "debug");
    assert.equal(flags("--zap-encoder=console")["log-format"], "console");
  });

  it("takes IPv6 addresses", () => {
    assert.equal(flags("--health-probe-bind-address=[::1]:8081")["health-probe-bind-address"], "[::1]:8081");
  });

  for (const [args, words] of [
    [["--no-such"], /unknown flag --no-such/],
    [["word"], /unexpected argument word/],
    [["--leader-elect", "true"], /unexpected argument true/],
    [["--leader-elect=yes"], /give true or false/],
    [["--workers=0"], /from 1 to 1000/],
    [["--workers=1001"], /from 1 to 1000/],
    [["--metrics-bind-address=8080"], /give HOST:PORT/],
    [["--kubeconfig"], /--kubeconfig needs a value/],
    [["--log-format=xml"], /json, console/],
    [["--watch-namespaces=a,B"], /give a name/],
    [["--cluster-domain=cluster.local."], /give a DNS name such as "cluster.local", .* without a dot at the end/],
  ] as [string[], RegExp][])
    it(`refuses ${args.join(" ")}`, () => {
      assert.throws(
        () => parseFlags(args),
        (error: unknown) => error instanceof UsageError && words.test(error.message) && !error.message.includes("\n"),
      );
    });

  it("prints help that names every flag once", () => {
    assert.deepEqual(parseFlags(["--workers=2", "--help"]), { print: "help" });
    assert.deepEqual(parseFlags(["--version"]), { print: "version" });
    for (const name of Object.keys(flags()))
      assert.equal(helpText().split(`  --${name}\n`).length + helpText().split(`  --${name} (`).length, 3, name);
  });

  it("checks a cluster's domain that comes by the environment", () => {
    assert.equal(checkClusterDomain("k8s.example.com"), "k8s.example.com");
    assert.throws(() => checkClusterDomain("a b"), /^UsageError|Error: CLUSTER_DOMAIN=a b: give a DNS name/);
  });

  it("reads lists of namespaces", () => {
    assert.deepEqual(checkNamespaces(" a, b,,a "), ["a", "b"]);
    assert.deepEqual(checkNamespaces(""), []);
    assert.throws(() => checkNamespaces("a,*"), UsageError);
  });
});
