import assert from "node:assert/strict";
import { conditionsTable } from "../../../operator/memcached/status/conditionsTable";
import type { ObservedState } from "../../../operator/memcached/status/observedState";
import { conditionsFor } from "../../../operator/memcached/status/status";
import { cases } from "./conditionCases";
import { conflict, oneUp, problem } from "./conditionWords";
import { rolledOut, observedState } from "./fixtures";

describe("the table of conditions", () => {
  cases.forEach(([name, given, expected], index) =>
    it(name, () => {
      const conditions = conditionsFor(given);
      const said = conditions?.map((v) => [v.type, `${v.status} ${v.reason}: ${v.message}`] as const);
      assert.deepEqual(said && Object.fromEntries(said), expected);
      assert.equal(
        conditionsTable.findIndex((row) => row.when(given)),
        index,
        "another row answered",
      );
      assert.equal(conditionsTable[index]?.description, name);
    }),
  );

  it("has a case above for every row", () => assert.equal(cases.length, conditionsTable.length));

  it("speaks of the StatefulSet where it runs the servers", () => {
    const said = (given: ObservedState) => conditionsFor(given)?.[0]?.message;
    const workload = "StatefulSet" as const;
    assert.match(said(observedState({ workload })) ?? "", /^StatefulSet for custom resource/);
    const refused = observedState({ workload, workloadProblem: problem, workloadExists: false, rollout: oneUp });
    assert.match(said(refused) ?? "", /^Failed to create StatefulSet for the custom resource/);
  });

  it("never calls servers ready without saying what else is awaited", () => {
    const awaited = (changes: Partial<ObservedState>) =>
      conditionsFor(observedState(changes))?.find(({ type, status }) => type === "Ready" && status === "False")
        ?.message;
    const ready = { ...rolledOut(3), done: false };
    assert.equal(
      awaited({ rollout: { ...ready, replicas: 4, ready: 4, available: 4 } }),
      "3 of 3 servers are ready, but 1 old server has not stopped yet",
    );
    assert.equal(awaited({ rollout: ready }), "3 of 3 servers are ready, but the Deployment's rollout is not complete");
    const former = { kind: "Deployment" as const, size: 3, ready: 3 };
    const both = (own: number) => ({ ...ready, replicas: 6, ready: 3 + own, available: 3 + own });
    const taking = (own: number) => awaited({ workload: "StatefulSet", former, rollout: both(own) });
    assert.match(
      taking(2) ?? "",
      /^3 of 3 servers are ready, but the StatefulSet replaces the Deployment, and 2 of its 3 servers are ready/,
    );
    assert.equal(taking(3), "3 of 3 servers are ready, but the Deployment is not deleted yet");
  });

  it("names all that stands in the way, the gravest first", () => {
    const conditions = conditionsFor(
      observedState({ workloadProblem: problem, otherProblem: conflict, rollout: oneUp }),
    );
    const degraded = conditions?.find(({ type }) => type === "Degraded");
    assert.equal(degraded?.reason, "QuotaExceeded");
    assert.equal(degraded?.message, "exceeded quota: small; Service shop/cache exists");
  });

  it("cuts what is too long for a condition, and leaves braces in messages alone", () => {
    const message = `{size} ${"x".repeat(100_000)}`;
    const conditions = conditionsFor(observedState({ otherProblem: { reason: "Invalid", message } }));
    const degraded = conditions?.find(({ type }) => type === "Degraded");
    assert.ok(degraded && degraded.message.length < 32_768);
    assert.match(degraded.message, /^\{size\} xxx/);
  });
});
