import type { DefaultedSpec } from "../../../api";
import type { Problem } from "../status/observedState";
import { secretType } from "../types";
import { checkAuthorities, checkPair } from "./certificates";
import { type Source, sourcesOf } from "./sources";
import { checkUsers } from "./users";

/** A Secret or ConfigMap, as far as it is read. */
export interface Data {
  /** Of a Secret, in base64. */
  data?: Record<string, string>;
}

/** What was found of a source: its data, nothing, or why it could not be read. */
export type Found = Data | "missing" | { refused: string };

export interface SecretReport {
  /** What is missing or wrong. */
  problem?: Problem;
  /** Why something could not be looked at, and the command that allows it. */
  unread?: string;
  /** When a certificate runs out that is good until then. */
  validUntil?: Date;
}

/** What keeps a server from starting: with a certificate that ran out it starts. */
export const preventsStart = ({ problem }: SecretReport): Problem | undefined =>
  problem?.reason === "CertificateExpired" ? undefined : problem;

/** What there is to say of the objects that spec.tls and spec.auth name, by what was found of each. */
export function checkSecrets(
  spec: Pick<DefaultedSpec, "tls" | "auth">,
  namespace: string,
  found: (source: Source) => Found,
  now: Date,
): SecretReport {
  const report: SecretReport = {};
  for (const source of sourcesOf(spec)) {
    const data = found(source);
    if (data !== "missing" && "refused" in data) {
      report.unread ??= unreadMessage(source, namespace, data.refused);
      continue;
    }
    const { problem, validUntil } = checkSource(source, data, now);
    if (problem) report.problem ??= { ...problem, message: `${nameOf(source, namespace)}: ${problem.message}` };
    report.validUntil ??= validUntil;
  }
  return report;
}

const nameOf = ({ type, name, field }: Source, namespace: string): string =>
  `${type.kind} ${namespace}/${name}, which ${field} names`;

function checkSource(source: Source, found: Data | "missing", now: Date): { problem?: Problem; validUntil?: Date } {
  const { type, files, field } = source;
  if (found === "missing")
    return { problem: { reason: `${type.kind}NotFound`, message: "it does not exist: create it, or name another" } };
  const keys = files.map(({ key }) => key);
  const texts = keys.map((key) => textOf(source, found, key));
  const lacking = keys.filter((_, i) => !texts[i]);
  if (lacking.length > 0)
    return { problem: { reason: "KeyMissing", message: `it has no value under ${lacking.join(" and ")}: add it` } };
  const [first = "", second = ""] = texts;
  if (field === "spec.tls.secretName") return checkPair(first, second, now);
  return { problem: field === "spec.auth.secretName" ? checkUsers(first) : checkAuthorities(first, keys[0]!) };
}

function textOf({ type }: Source, { data }: Data, key: string): string | undefined {
  const text = data?.[key];
  return text !== undefined && type === secretType ? Buffer.from(text, "base64").toString() : text;
}

/** The role that `MemcachedOperator` and install.yaml make beside the operator's account. */
function unreadMessage({ type, name }: Source, namespace: string, refused: string): string {
  const [, accountNamespace, account] = /system:serviceaccount:([^:"]+):([^:"]+)/.exec(refused) ?? [];
  const role = account?.replace(/controller-manager$/, "secrets-role");
  const command = role
    ? `: to have it checked, kubectl create rolebinding ${role}binding -n ${namespace} --clusterrole=${role} --serviceaccount=${accountNamespace}:${account}`
    : `: ${refused}`;
  return `The operator may not read ${type.kind} ${namespace}/${name}, so that what is wrong with it shows only when a server starts${command}`;
}
