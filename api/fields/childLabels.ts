import { Type } from "@sinclair/typebox";
import { labels, labelsRule, withoutLabels } from "../texts";

/** Labels that the operator sets on all children. Argo CD uses the second one to find an object's application. */
const ownedLabels = [
  "app.kubernetes.io/name",
  "app.kubernetes.io/instance",
  "app.kubernetes.io/component",
  "app.kubernetes.io/managed-by",
];

export const properties = {
  childLabels: Type.Optional(
    labels(
      "Additional labels for the Deployment or StatefulSet and for the Service, for policies and cost reports. A change replaces no server. For labels of the pods, use podLabels.",
      { "cost-center": "checkout" },
    ),
  ),
};

export const rules = [labelsRule("spec.childLabels"), withoutLabels("spec.childLabels", ownedLabels, "the operator")];
