import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { until } from "../../support/until";
import type { FaultProxy, Seen } from "./faultProxy";
import { configMap } from "./harness";
import type { ConfigMap } from "./harness";
import { useLab } from "./lab";
import { killPrograms, startProgram } from "./processes";
import type { Program } from "./processes";

/** 15, 10 and 2 s divided by four, so that the tests need not wait so long. */
const lease = [3_750, 2_500, 500];

describe("the process", () => {
  const lab = useLab();
  afterEach(killPrograms);

  async function replica(identity: string, options: object = {}): Promise<{ program: Program; proxy: FaultProxy }> {
    const proxy = await lab.newProxy();
    return { program: startProgram(lab.cp, proxy, { namespace: lab.namespace, identity, lease, ...options }), proxy };
  }
  const makeSource = async (name: string) => {
    const source = configMap(lab.namespace, name);
    source.metadata.labels = { source: "yes" };
    await lab.cp.client.json("POST", lab.path("configmaps"), source);
  };
  const copyOf = async (name: string): Promise<ConfigMap | undefined> => {
    const { code, text } = await lab.cp.client.request("GET", lab.path("configmaps", `${name}-copy`));
    return code === 200 ? (JSON.parse(text) as ConfigMap) : undefined;
  };
  const copied = (name: string, by: string, limitMs: number) =>
    until(`${by} to copy ${name}`, limitMs, async () => (await copyOf(name))?.data?.by === by);
  const leads = (program: Program, limitMs = 10_000) =>
    until("the replica to lead", limitMs, () => program.said("Became leader"));
  const leasePath = () => `/apis/coordination.k8s.io/v1/namespaces/${lab.namespace}/leases/copier`;
  const holder = async () =>
    (await lab.cp.client.json<{ spec: { holderIdentity?: string } }>("GET", leasePath())).spec.holderIdentity;
  const write = (seen: Seen) => seen.method !== "GET" && !seen.path.includes("/leases/");

  const ofLease = (seen?: Seen) => seen?.path.includes("/leases/") ?? false;
  const assertReleasedLast = ({ seen }: FaultProxy) => {
    assert.ok(ofLease(seen.at(-1)) && seen.at(-1)?.method === "PUT", "the lease was not the last thing written");
  };

  async function pair() {
    const a = await replica("a");
    await leads(a.program);
    const b = await replica("b");
    await until(
      "the standby to watch",
      10_000,
      () => b.proxy.count((seen) => seen.watch) > 0 && b.proxy.count((s) => s.path.includes("/leases/")) > 0,
    );
    await makeSource("one");
    await copied("one", "a", 5_000);
    return { a, b };
  }

  it("kubernetes-sigs/agent-sandbox#1249: hands over within 3 s of SIGTERM, after its last write, and exits 0", async () => {
    const { a, b } = await pair();
    a.program.child.kill("SIGTERM");
    assert.equal(await a.program.end(2_000), 0);
    assertReleasedLast(a.proxy);
    await leads(b.program, 3_000);
    await makeSource("two");
    await copied("two", "b", 2_000);
    assert.equal(
      b.proxy.count((seen) => write(seen) && seen.path.includes("/one-copy")),
      1,
    );
  });

  it("a leader that is killed is followed when its lease has run out", async () => {
    const { a, b } = await pair();
    a.program.child.kill("SIGKILL");
    await leads(b.program, 3_750 + 2 * 1_000);
    await makeSource("two");
    await copied("two", "b", 2_000);
  });

  it("kubernetes/kubernetes#23731: a leader that was stopped writes nothing when it resumes, and exits 1", async () => {
    const { a, b } = await pair();
    a.program.child.kill("SIGSTOP");
    await leads(b.program, 6_000);
    await makeSource("two");
    await copied("two", "b", 2_000);
    const before = a.proxy.count(write);
    a.program.child.kill("SIGCONT");
    assert.equal(await a.program.end(1_000), 1);
    assert.equal(a.proxy.count(write), before);
    assert.equal(await holder(), "b");
  });

  it("cilium/cilium#42920: a leader whose connections went dead stops before the other may lead, and exits 1", async () => {
    const { a, b } = await pair();
    a.proxy.fault = () => "hang";
    a.proxy.blackHole();
    await leads(b.program, 6_000);
    assert.equal(await a.program.end(500), 1);
    assert.ok(a.program.said("Stopping at once"));
  });

  it("cilium/cilium#42920: a busy leader that can do all but renew writes until its deadline, and nothing after", async () => {
    const { program, proxy } = await replica("a");
    await leads(program);
    proxy.fault = (seen) => (ofLease(seen) ? "hang" : "pass");
    const cutAt = performance.now();
    for (let i = 0; program.ended === undefined && performance.now() - cutAt < 6_000; i++)
      await makeSource(`busy-${i}`);
    assert.equal(program.ended, 1);
    const writes = proxy.seen.filter((seen) => write(seen) && seen.at > cutAt).map((seen) => seen.at - cutAt);
    assert.ok(writes.length > 10, `only ${writes.length} writes to look at`);
    const [, renewDeadlineMs = 0] = lease;
    assert.ok(Math.max(...writes) < renewDeadlineMs + 50, `a write after ${Math.max(...writes)} ms`);
  });

  it("kyverno/kyverno#14984: exits 1 when its lease is taken away, and writes nothing after", async () => {
    const { a } = await pair();
    const thief = { spec: { holderIdentity: "thief" } };
    await lab.cp.client.json("PATCH", leasePath(), thief, "application/merge-patch+json");
    assert.equal(await a.program.end(2_000), 1);
    assert.equal(await holder(), "thief");
    assert.equal(
      a.proxy.count((seen) => write(seen) && seen.path.includes("-copy")),
      1,
    );
  });

  it("openkube-hub/KubeUser#77: finishes the pass under way before it lets go of the lease", async () => {
    const { a, b } = await pair();
    let held: (() => void) | undefined;
    const patches: string[] = [];
    a.proxy.fault = (seen) => {
      if (write(seen)) patches.push(seen.path);
      return "pass";
    };
    a.proxy.beforeForward = (seen) =>
      seen.path.includes("/two-copy") ? new Promise<void>((resolve) => (held = resolve)) : undefined;
    await makeSource("two");
    await until("the pass to write", 3_000, () => held);
    a.program.child.kill("SIGTERM");
    await until("the shutdown to begin", 2_000, () => a.program.said("Shutting down"));
    // The lease is renewed all the while.
    const renewals = () => a.proxy.count((seen) => seen.method === "PUT");
    const from = renewals();
    await until("a renewal during the drain", 2_000, () => renewals() > from);
    assert.equal(a.program.ended, undefined);
    held?.();
    assert.equal(await a.program.end(3_000), 0);
    assert.equal((await copyOf("two"))?.data?.by, "a");
    assertReleasedLast(a.proxy);
    assert.notEqual(await holder(), "a");
    await leads(b.program, 3_000);
  });

  it("a second SIGTERM ends it at once", async () => {
    const { a } = await pair();
    a.proxy.fault = (seen) => (write(seen) ? "hang" : "pass");
    await makeSource("two");
    await until("the pass to hang", 3_000, () => a.proxy.seen.some((seen) => seen.path.includes("/two-copy")));
    a.program.child.kill("SIGTERM");
    await until("the shutdown to begin", 2_000, () => a.program.said("Shutting down"));
    a.program.child.kill("SIGTERM");
    assert.equal(await a.program.end(500), 1);
  });

  it("aborts passes that do not end in time, releases the lease and exits 0", async () => {
    const a = await replica("a", { gracePeriodMs: 500 });
    await leads(a.program);
    // The pass alone: an event under way would be waited for as well.
    a.proxy.fault = (seen) => (write(seen) && seen.path.includes("/two-copy") ? "hang" : "pass");
    await makeSource("two");
    await until("the pass to hang", 3_000, () => a.proxy.seen.some((seen) => seen.path.includes("/two-copy")));
    a.program.child.kill("SIGTERM");
    assert.equal(await a.program.end(4_000), 0);
    assert.equal(await holder(), "");
  });

  it("matter-labs/zksync-sso#272: ends on SIGTERM as PID 1, where signals have no default action", async () => {
    const proxy = await lab.newProxy();
    // Only root may make a PID namespace; for others it is a process like any.
    const wrapper = process.getuid?.() === 0 ? ["unshare", "--pid", "--fork", "--kill-child"] : [];
    const program = startProgram(lab.cp, proxy, { namespace: lab.namespace, identity: "a", lease }, wrapper);
    await leads(program);
    const { pid = 0 } = program.child;
    const [inner] =
      wrapper.length > 0 ? readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ") : [pid];
    process.kill(Number(inner), "SIGTERM");
    assert.equal(await program.end(2_000), 0);
    assert.equal(await holder(), "");
    assert.ok(program.said("Released the lease"), "the last words are lost");
  });

  it("exits 1 on a rejection that nobody handles, and says so", async () => {
    const { program } = await replica("a", { lease: undefined, rejectAfterMs: 200 });
    assert.equal(await program.end(10_000), 1);
    assert.ok(
      program.lines.some((line) => line.level === "fatal" && JSON.stringify(line).includes("nobody handles this")),
    );
  });

  it("waits for an API server that is not there, ends on SIGTERM all the same, and starts when it comes", async () => {
    const proxy = await lab.newProxy();
    proxy.unreachable = true;
    const waiting = startProgram(lab.cp, proxy, { namespace: lab.namespace, identity: "a", lease });
    const other = startProgram(lab.cp, proxy, { namespace: lab.namespace, identity: "b" });
    await until(
      "both to complain",
      10_000,
      () => waiting.said("failed, trying again") && other.said("failed, trying again"),
    );
    other.child.kill("SIGTERM");
    assert.equal(await other.end(2_000), 0);
    proxy.unreachable = false;
    await makeSource("one");
    await copied("one", "a", 10_000);
  });

  it("reports events, as one series for repeats", async () => {
    const { program } = await replica("a", { lease: undefined });
    await makeSource("one");
    const events = async () => {
      const { items } = await lab.cp.client.json<{
        items: {
          note: string;
          reason: string;
          regarding: { name: string; uid?: string };
          series?: { count: number };
        }[];
      }>("GET", `/apis/events.k8s.io/v1/namespaces/${lab.namespace}/events`);
      return items.filter((event) => event.regarding.name === "one");
    };
    await until("the event", 10_000, async () => (await events()).length === 1);
    await lab.cp.client.json(
      "PATCH",
      lab.path("configmaps", "one"),
      { data: { more: "1" } },
      "application/merge-patch+json",
    );
    const [event] = await until("the series", 5_000, async () => {
      const found = await events();
      return found[0]?.series?.count === 2 && found;
    });
    assert.deepEqual([event?.reason, event?.note], ["Copied", "copied to one-copy"]);
    assert.ok(event?.regarding.uid);
    assert.equal(program.ended, undefined);
  });
});
