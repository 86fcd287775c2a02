import { defaulted, oneOf } from "../field";

export const properties = {
  workload: defaulted(
    oneOf(["Deployment", "StatefulSet"], {
      description:
        "What runs the servers: a Deployment, whose servers share one name, or a StatefulSet, where each has a name that stays, for clients that hash keys over servers. A change makes the new one first and removes the old one when the new one is available; items are not moved.",
      examples: ["StatefulSet"],
    }),
    "Deployment",
  ),
};
