import assert from "node:assert/strict";
import { conditionsOf, conditionsTable } from "../../../operator/memcached/status/conditions";
import type { Situation } from "../../../operator/memcached/status/situation";
import { cases, conflict, oneUp, problem } from "./conditionCases";
import { situation } from "./fixtures";

describe("the table of conditions", () => {
  cases.forEach(([name, given, expected], index) =>
    it(name, () => {
      const verdicts = conditionsOf(given);
      const said = verdicts?.map((v) => [v.type, `${v.status} ${v.reason}: ${v.message}`] as const);
      assert.deepEqual(said && Object.fromEntries(said), expected);
      assert.equal(
        conditionsTable.findIndex((row) => row.when(given)),
        index,
        "another row answered",
      );
      assert.equal(conditionsTable[index]?.situation, name);
    }),
  );

  it("has a case above for every row", () => assert.equal(cases.length, conditionsTable.length));

  it("speaks of the StatefulSet where it runs the servers", () => {
    const said = (given: Situation) => conditionsOf(given)?.[0]?.message;
    const workload = "StatefulSet" as const;
    assert.match(said(situation({ workload })) ?? "", /^StatefulSet for custom resource/);
    const refused = situation({ workload, workloadProblem: problem, workloadExists: false, rollout: oneUp });
    assert.match(said(refused) ?? "", /^Failed to create StatefulSet for the custom resource/);
  });

  it("names all that stands in the way, the gravest first", () => {
    const verdicts = conditionsOf(situation({ workloadProblem: problem, serviceProblem: conflict, rollout: oneUp }));
    const degraded = verdicts?.find(({ type }) => type === "Degraded");
    assert.equal(degraded?.reason, "QuotaExceeded");
    assert.equal(degraded?.message, "exceeded quota: small; Service shop/cache exists");
  });

  it("cuts what is too long for a condition, and leaves braces in messages alone", () => {
    const message = `{size} ${"x".repeat(100_000)}`;
    const verdicts = conditionsOf(situation({ serviceProblem: { reason: "Invalid", message } }));
    const degraded = verdicts?.find(({ type }) => type === "Degraded");
    assert.ok(degraded && degraded.message.length < 32_768);
    assert.match(degraded.message, /^\{size\} xxx/);
  });
});
