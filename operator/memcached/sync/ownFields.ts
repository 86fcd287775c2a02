import type { ApiError } from "../../runtime";

/** Where a field of the Memcached stands in its children. */
const places: [inChild: RegExp, own: string][] = [
  [/^spec\.template\.spec\.(nodeSelector|tolerations|affinity|topologySpreadConstraints|priorityClassName)/, "spec.$1"],
  [/^spec\.template\.spec\.imagePullSecrets/, "spec.imagePullSecrets"],
  [/^spec\.template\.spec\.containers\[0\]\.(resources|image|imagePullPolicy)(?![A-Za-z])/, "spec.$1"],
  [/^spec\.template\.spec\.containers\[0\]\.args\b.*/, "spec.extraArgs"],
  [/^spec\.template(?:\.metadata)?\.labels/, "spec.podLabels"],
  [/^spec\.template(?:\.metadata)?\.annotations/, "spec.podAnnotations"],
  [/^spec\.strategy\.rollingUpdate/, "spec.rollout"],
  [/^metadata\.annotations/, "spec.service.annotations"],
  [/^spec\.type/, "spec.service.type"],
];

/**
 * What the API server says of a child that it calls invalid, told of the Memcached's own fields: their users know nothing of
 * `spec.template.spec`. Its sentence as it is where a field has no counterpart.
 */
export function inOwnFields({ message, details }: ApiError): string {
  const causes = details?.causes ?? [];
  const told = causes.map(({ field = "", message: why = "" }) => {
    const own = ownField(field);
    return own && `${own}: ${why}`;
  });
  return told.length > 0 && told.every((each) => each !== undefined) ? Array.from(new Set(told)).join("; ") : message;
}

function ownField(field: string): string | undefined {
  const place = places.find(([inChild]) => inChild.test(field));
  return place && field.replace(...place);
}
