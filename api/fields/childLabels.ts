import { Type } from "@sinclair/typebox";
import { labels, labelsRule, withoutLabels } from "../texts";

/** Labels that the operator gives to all that it makes. Argo CD tells by the second to which application an object belongs. */
const ownedLabels = [
  "app.kubernetes.io/name",
  "app.kubernetes.io/instance",
  "app.kubernetes.io/component",
  "app.kubernetes.io/managed-by",
];

export const properties = {
  childLabels: Type.Optional(
    labels(
      "Labels for the Deployment or StatefulSet and for the Service, beside the operator's own, as policies and cost reports want them. Not for the pods, which podLabels is for: a change replaces no server.",
      { "cost-center": "checkout" },
    ),
  ),
};

export const rules = [
  labelsRule("spec.childLabels"),
  withoutLabels("spec.childLabels", ownedLabels, "the operator gives to what it makes"),
];
