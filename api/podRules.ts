import type { DefaultedSpec, SpecRule } from "./defaults";
import { annotationKey, celIsKey, domain, isKey, labelKey, labelValue } from "./labelForm";
import { ownedPodLabels, reservedPrefix } from "./ownedKeys";

const priorityClass = `^${domain}$`;

type Texts = Record<string, string> | undefined;
type MapField = { path: string; of: (spec: DefaultedSpec) => Texts };

const podLabels: MapField = { path: "spec.podLabels", of: (spec) => spec.podLabels };
const podAnnotations: MapField = { path: "spec.podAnnotations", of: (spec) => spec.podAnnotations };
const serviceAnnotations: MapField = { path: "spec.service.annotations", of: (spec) => spec.service?.annotations };
const nodeSelector: MapField = { path: "spec.nodeSelector", of: (spec) => spec.nodeSelector };

const entries = (texts: Texts): [string, string][] => Object.entries(texts ?? {});

function labels({ path, of }: MapField): SpecRule {
  return {
    path,
    cel: `self.all(k, ${celIsKey(labelKey, "k")} && self[k].matches('${labelValue}'))`,
    message: `${path} must hold labels: keys like team or example.com/team, values of at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends`,
    predicate: (spec) =>
      entries(of(spec)).every(([name, value]) => isKey(labelKey, name) && new RegExp(labelValue).test(value)),
  };
}

function annotations({ path, of }: MapField): SpecRule[] {
  return [
    {
      path,
      cel: `self.all(k, ${celIsKey(annotationKey, "k")})`,
      message: `${path} must have keys of annotations: write them like team or example.com/team`,
      predicate: (spec) => entries(of(spec)).every(([name]) => isKey(annotationKey, name)),
    },
    {
      path,
      cel: `self.all(k, !k.startsWith('${reservedPrefix}'))`,
      message: `${path} must not use the prefix ${reservedPrefix}, which is the operator's: choose another`,
      predicate: (spec) => entries(of(spec)).every(([name]) => !name.startsWith(reservedPrefix)),
    },
  ];
}

/** Rules of what is put on the servers' pods and on the Service. */
export const podRules: SpecRule[] = [
  labels(nodeSelector),
  {
    path: "spec.priorityClassName",
    cel: `self.matches('${priorityClass}')`,
    message:
      "spec.priorityClassName must be the name of a PriorityClass: lower-case letters, digits, '-' and '.', with a letter or digit at both ends",
    predicate: ({ priorityClassName }) =>
      priorityClassName === undefined || new RegExp(priorityClass).test(priorityClassName),
  },
  labels(podLabels),
  {
    path: podLabels.path,
    cel: `self.all(k, !(k in [${ownedPodLabels.map((label) => `'${label}'`).join(", ")}]))`,
    message: `spec.podLabels must not hold labels that the operator or Kubernetes gives to pods (${ownedPodLabels.join(", ")}): remove them`,
    predicate: (spec) => entries(podLabels.of(spec)).every(([name]) => !ownedPodLabels.includes(name)),
  },
  ...annotations(podAnnotations),
  ...annotations(serviceAnnotations),
  {
    path: "spec",
    fieldPath: ".service.type",
    cel: "self.workload != 'StatefulSet' || !has(self.service) || self.service.type == 'ClusterIP'",
    message:
      "spec.service.type must be ClusterIP when spec.workload is StatefulSet, for the servers have names of their own only under a headless Service: leave spec.service.type out, or set spec.workload to Deployment",
    predicate: ({ workload, service }) => workload !== "StatefulSet" || (service?.type ?? "ClusterIP") === "ClusterIP",
  },
];
