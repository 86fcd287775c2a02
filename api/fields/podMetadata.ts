import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "../names";
import { annotations, annotationsRules, labels, labelsRule, withoutLabels } from "../texts";

/** Labels of the servers' pods that the operator or Kubernetes gives them. */
const ownedLabels = [
  "app.kubernetes.io/name",
  "app.kubernetes.io/instance",
  "app.kubernetes.io/component",
  "app.kubernetes.io/managed-by",
  "pod-template-hash",
  "controller-revision-hash",
  "statefulset.kubernetes.io/pod-name",
  "apps.kubernetes.io/pod-index",
];

export const properties = {
  podLabels: Type.Optional(labels("Labels for the servers' pods, beside the operator's own.", { team: "checkout" })),
  podAnnotations: Type.Optional(
    annotations(
      `Annotations for the servers' pods; the prefix ${reservedPrefix} is the operator's. A change replaces the servers one by one.`,
      { "example.com/backup": "never" },
    ),
  ),
};

export const rules = [
  labelsRule("spec.podLabels"),
  withoutLabels("spec.podLabels", ownedLabels, "the operator or Kubernetes gives to pods"),
  ...annotationsRules("spec.podAnnotations"),
];
