import { defaulted, oneOf } from "../field";

export const properties = {
  workload: defaulted(
    oneOf(["Deployment", "StatefulSet"], {
      description:
        "What runs the servers: a Deployment, whose servers share one DNS name, or a StatefulSet, whose servers have a stable name each, for clients that hash keys over servers. After a change the operator creates the new workload first, and deletes the old one when the new one is available. Items are not moved.",
      examples: ["StatefulSet"],
    }),
    "Deployment",
  ),
};
