import assert from "node:assert/strict";
import { LeaderLostError } from "../../../operator/runtime";
import type { Lease } from "../../../operator/runtime/leader/lease";
import { LeaderElector } from "../../../operator/runtime/leader/leaderElector";
import { FakeClock, settle } from "./support/fakeClock";
import { LeaseServer } from "./support/leaseServer";
import { recordingLog } from "./support/log";

function setup() {
  const server = new LeaseServer();
  const clock = new FakeClock();
  const replica = (identity: string, ownClock = clock) => {
    const state: { cut: boolean; held?: Promise<void> } = { cut: false };
    const { log, lines } = recordingLog();
    const client = server.client(identity, state);
    const elector = new LeaderElector({
      id: "op",
      namespace: "ns",
      identity,
      client,
      log,
      clock: ownClock,
      random: () => 0.5,
    });
    const stop = new AbortController();
    const result: { outcome?: string } = {};
    const acquired = elector.acquire(stop.signal).then(
      () => "leader",
      () => "gave up",
    );
    void acquired.then((outcome) => (result.outcome = outcome));
    const renew = () => {
      void elector.renew(stop.signal).then(
        () => (result.outcome = "stopped"),
        (error: unknown) =>
          (result.outcome = error instanceof LeaderLostError ? `lost: ${error.message}` : String(error)),
      );
    };
    return { elector, state, stop, result, renew, lines };
  };
  /** A replica that leads and renews. */
  const leader = async (identity: string) => {
    const result = replica(identity);
    await settle();
    result.renew();
    return result;
  };
  /** The lease as someone else has left it. */
  const edit = (change: (lease: Lease) => void) => {
    const { lease } = server;
    assert.ok(lease);
    change(lease);
    lease.metadata.resourceVersion = "999";
  };
  return { server, clock, replica, leader, edit };
}

describe("LeaderElector", () => {
  it("lets one replica lead, and the other wait without a write", async () => {
    const { server, clock, replica, leader } = setup();
    const a = await leader("a");
    const b = replica("b");
    await clock.advance(60_000);
    assert.equal(a.elector.isLeader, true);
    assert.equal(b.result.outcome, undefined);
    assert.match(b.elector.writeBarrier() ?? "", /not the leader/);
    assert.equal(b.elector.expired(), undefined);
    assert.ok(server.writes.every((write) => write === "a:a"));
    // A leader renews without reading; a standby only reads.
    assert.equal(server.reads.filter((name) => name === "a").length, 1);
    assert.ok(server.reads.length <= 32, `${server.reads.length} reads in a minute`);
  });

  it("kubernetes-sigs/agent-sandbox#1249: a released lease is taken over within 3 s", async () => {
    const { server, clock, replica, leader } = setup();
    const a = await leader("a");
    const b = replica("b");
    await clock.advance(10_000);
    a.stop.abort();
    await a.elector.release();
    await clock.advance(3_000);
    assert.equal(b.result.outcome, "leader");
    assert.equal(server.lease?.spec.leaseTransitions, 1);
    assert.equal(a.elector.isLeader, false);
  });

  for (const leads of [true, false]) {
    it(`kubernetes-sigs/agent-sandbox#1249: ${leads ? "a renewal" : "a claim"} under way at the release neither hinders nor survives it`, async () => {
      const { server, clock, replica, leader } = setup();
      const a = leads ? await leader("a") : replica("a");
      let arrive = () => undefined as void;
      a.state.held = new Promise((resolve) => (arrive = resolve));
      if (leads) await clock.advance(2_000);
      else await settle();
      a.stop.abort();
      const released = a.elector.release();
      arrive();
      await clock.advance(20_000);
      await released;
      assert.ok(!server.lease?.spec.holderIdentity, `still held by ${server.lease?.spec.holderIdentity}`);
      assert.equal(a.elector.isLeader, false);
      assert.equal(clock.pending, 0);
    });
  }

  it("a release that waits in vain for a claim goes on, and the claim ends there", async () => {
    const { server, clock, leader } = setup();
    const a = await leader("a");
    let arrive = () => undefined as void;
    const held = new Promise<void>((resolve) => (arrive = resolve));
    a.state.held = held;
    await clock.advance(2_000);
    a.state.held = undefined;
    const released = a.elector.release();
    await clock.advance(1_000);
    await released;
    assert.equal(server.lease?.spec.holderIdentity, "");
    arrive();
    await clock.advance(20_000);
    assert.equal(server.lease?.spec.holderIdentity, "");
  });

  it("a dead leader is followed within 19 s, and never before its lease has run out", async () => {
    const { clock, replica, leader } = setup();
    const a = await leader("a");
    const b = replica("b");
    await clock.advance(10_000);
    a.state.cut = true;
    a.stop.abort();
    const from = clock.now();
    await clock.advance(12_000);
    assert.equal(b.result.outcome, undefined);
    await clock.advance(7_000);
    assert.equal(b.result.outcome, "leader");
    assert.ok(clock.now() - from <= 19_000);
  });

  it("kubernetes/kubernetes#23731: a leader cut off holds writes back before anyone else can lead, and gives up", async () => {
    const { clock, replica, leader } = setup();
    const a = await leader("a");
    const b = replica("b");
    await clock.advance(10_000);
    a.state.cut = true;
    for (let i = 0; i < 40; i++) {
      await clock.advance(500);
      assert.ok(!(a.elector.isLeader && b.elector.isLeader), "two leaders");
    }
    assert.match(a.result.outcome ?? "", /^lost: the lease was not renewed within 10 s/);
    assert.equal(b.result.outcome, "leader");
  });

  it("kubernetes/kubernetes#23731: a leader that was stopped for 25 s writes nothing after it resumes", async () => {
    const { server, clock, leader } = setup();
    const a = await leader("a");
    await clock.advance(10_000);
    const before = server.writes.length;
    clock.freeze(25_000);
    assert.match(a.elector.writeBarrier() ?? "", /another replica may lead/);
    await clock.advance(0);
    assert.match(a.result.outcome ?? "", /^lost/);
    assert.equal(server.writes.length, before);
  });

  it("goes on leading when someone else has edited the lease but not taken it", async () => {
    const { server, clock, leader, edit } = setup();
    const a = await leader("a");
    await clock.advance(10_000);
    edit(({ metadata }) => (metadata.labels = { edited: "yes" }));
    await clock.advance(30_000);
    assert.equal(a.elector.isLeader, true);
    assert.equal(server.lease?.metadata.labels?.edited, "yes");
  });

  it("gives up at once when the lease is taken away", async () => {
    const { clock, leader, edit } = setup();
    const a = await leader("a");
    await clock.advance(10_000);
    edit(({ spec }) => (spec.holderIdentity = "thief"));
    await clock.advance(2_500);
    assert.equal(a.result.outcome, 'lost: the lease was taken by "thief"');
  });

  it("kubernetes/client-go#448: skewed clocks neither steal a live lease nor keep a dead one", async () => {
    const { server, clock, replica, leader } = setup();
    const a = await leader("a");
    await clock.advance(4_000);
    const { lease } = server;
    assert.ok(lease);
    // To the other replica the leader's wall clock is a day off.
    lease.spec.renewTime = "2001-01-01T00:00:00.000000Z";
    const b = replica("b");
    await clock.advance(1_000);
    assert.equal(b.result.outcome, undefined);
    a.state.cut = true;
    a.stop.abort();
    lease.spec.renewTime = "2101-01-01T00:00:00.000000Z";
    await clock.advance(19_000);
    assert.equal(b.result.outcome, "leader");
  });

  it("keeps trying while the lease may not be read, says why and logs it once", async () => {
    const { clock, replica } = setup();
    const a = replica("a");
    a.state.cut = true;
    await clock.advance(30_000);
    assert.match(a.elector.reason ?? "", /no answer/);
    assert.equal(a.lines.filter((line) => line.level === "warn").length, 1);
    a.state.cut = false;
    await clock.advance(3_000);
    assert.equal(a.result.outcome, "leader");
    assert.equal(a.elector.reason, undefined);
  });

  it("ends the campaign when told to stop", async () => {
    const { clock, replica } = setup();
    replica("a");
    await settle();
    const b = replica("b");
    await settle();
    b.stop.abort();
    await clock.advance(0);
    assert.equal(b.result.outcome, "gave up");
  });

  it("refuses times that cannot be safe", () => {
    const { log } = recordingLog();
    const client = new LeaseServer().client("a", { cut: false });
    const options = { id: "op", namespace: "ns", client, log, leaseDurationMs: 10_000, renewDeadlineMs: 10_000 };
    assert.throws(() => new LeaderElector(options), /leaseDuration must exceed renewDeadline/);
  });
});
