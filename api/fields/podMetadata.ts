import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "../names";
import { annotations, annotationsRule, labels, labelsRule, withoutLabels } from "../texts";

/** Labels of the pods that the operator or Kubernetes sets. */
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
  podLabels: Type.Optional(labels("Additional labels for the servers' pods.", { team: "checkout" })),
  podAnnotations: Type.Optional(
    annotations(
      `Annotations for the servers' pods. The prefix ${reservedPrefix} is reserved for the operator. A change replaces the servers one by one.`,
      { "example.com/backup": "never" },
    ),
  ),
};

export const rules = [
  labelsRule("spec.podLabels"),
  withoutLabels("spec.podLabels", ownedLabels, "the operator or Kubernetes"),
  annotationsRule("spec.podAnnotations"),
];
