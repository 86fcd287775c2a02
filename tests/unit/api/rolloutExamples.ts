import type { MemcachedSpec } from "../../../api";
import type { RuleExample } from "./ruleExample";

export const rolloutExamples: RuleExample[] = [
  {
    sentence: "spec.rollout.maxSurge and spec.rollout.maxUnavailable must be 0 to 100 or 0% to 100%",
    refused: [
      ...[-1, 101, "101%", "1.5%", "-1%", "%", "", "one", "1 %", "1\n"].map((maxSurge) => ({ rollout: { maxSurge } })),
      ...[-1, 101, "101%", "x"].map((maxUnavailable) => ({ rollout: { maxUnavailable } })),
    ],
    allowed: [
      ...[1, 100, "1", "1%", "25%", "100%"].map((maxSurge) => ({ rollout: { maxSurge } })),
      ...[0, 1, 100, "0", "0%", "25%"].map((maxUnavailable) => ({ rollout: { maxUnavailable } })),
    ],
  },
  {
    sentence: "spec.rollout.maxSurge must not be 0 if spec.rollout.maxUnavailable is 0",
    refused: [
      { rollout: { maxSurge: 0 } },
      { rollout: { maxSurge: "0%" } },
      { rollout: { maxSurge: "0", maxUnavailable: "0%" } },
    ],
    allowed: [{ rollout: {} }, { rollout: { maxSurge: 0, maxUnavailable: 1 } }, { rollout: { maxUnavailable: 0 } }],
  },
  {
    sentence:
      "spec.rollout must not change maxSurge from 0 and maxUnavailable from 1 when spec.workload is StatefulSet",
    refused: [
      { workload: "StatefulSet", rollout: { maxSurge: 1 } },
      { workload: "StatefulSet", rollout: { maxSurge: "25%", maxUnavailable: 1 } },
      ...[0, 2, "50%"].map((maxUnavailable): MemcachedSpec => ({
        workload: "StatefulSet",
        rollout: { maxUnavailable },
      })),
    ],
    allowed: [
      { workload: "StatefulSet", rollout: {} },
      { workload: "StatefulSet", rollout: { maxSurge: 0, maxUnavailable: 1 } },
      ...[1, "1"].map((maxUnavailable): MemcachedSpec => ({ workload: "StatefulSet", rollout: { maxUnavailable } })),
    ],
  },
];
