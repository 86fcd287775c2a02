import { Secret } from "@pulumi/kubernetes/core/v1/secret";
import { getProject, getStack, output, secret } from "@pulumi/pulumi";
import type { ComponentResource, Input } from "@pulumi/pulumi";
import { createHash } from "node:crypto";
import { userLimits } from "../api";
import { isKnown } from "./lift";
import type { MemcachedArgs } from "./memcachedArgs";
import { refuse } from "./validation/values";

type Users = { [user: string]: Input<string> };

/** What is known of `auth`, of which other languages and plain JavaScript may pass anything. */
function knownAuth({ auth }: MemcachedArgs): { users?: unknown; secretName?: unknown } {
  return typeof auth === "object" && auth !== null && isKnown(auth) ? auth : {};
}

/** The users that the arguments hold themselves; undefined where they name a Secret, or no users. */
const usersOf = (args: MemcachedArgs): Users | undefined => knownAuth(args).users as Users | undefined;

/**
 * The name of the Secret of users: it stays for as long as the cache has its place in its stack, so that the servers are not replaced for
 * another password.
 */
function secretName(pulumiName: string): string {
  const place = createHash("sha256").update(`${getProject()}/${getStack()}/${pulumiName}`).digest("hex").slice(0, 8);
  const start = pulumiName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return [start.slice(0, 200), "users", place].filter(Boolean).join("-");
}

/** The arguments with the users' Secret named in their place. */
export function withNamedUsers(pulumiName: string, args: MemcachedArgs): MemcachedArgs {
  return usersOf(args) === undefined ? args : { ...args, auth: { secretName: secretName(pulumiName) } };
}

/** The arguments with their passwords as secrets, as they may go into Pulumi's state. */
export function withSecretUsers(args: MemcachedArgs): MemcachedArgs {
  const users = usersOf(args);
  return users === undefined ? args : { ...args, auth: { users: secret(users) } };
}

/** Makes the Secret of the users that the arguments hold; gives what the cache has to wait for. */
export function makeUsers(pulumiName: string, args: MemcachedArgs, parent: ComponentResource): Secret[] {
  const users = usersOf(args);
  if (users === undefined) return [];
  const text = output(users).apply((known) => {
    const lines = Object.entries(known).map(([user, password]) => `${user}:${password}`);
    const problems = Object.entries(known).flatMap(([user, password]) => passwordProblems(user, password));
    refuse("Memcached", pulumiName, problems);
    return `${lines.join("\n")}\n`;
  });
  const metadata = {
    name: secretName(pulumiName),
    ...(args.namespace !== undefined && { namespace: args.namespace }),
    ...(args.labels !== undefined && { labels: args.labels }),
  };
  return [new Secret(`${pulumiName}-users`, { metadata, stringData: { users: secret(text) } }, { parent })];
}

/** What is wrong with the users that the arguments hold; passwords are not shown. */
export function validateUsers(args: MemcachedArgs): string[] {
  const { users, secretName } = knownAuth(args);
  if (users === undefined) return [];
  if (secretName !== undefined) return ["auth holds users and secretName: give one of them"];
  if (typeof users !== "object" || users === null || Array.isArray(users) || !isKnown(users))
    return ["auth.users is not what it should be: give a map of passwords by user that is known when the program runs"];
  const names = Object.keys(users);
  if (names.length === 0 || names.length > userLimits.users)
    return [`auth.users holds ${names.length} users: give 1 to ${userLimits.users}`];
  return [
    ...names
      .filter((name) => !/^[^\s:]+$/.test(name))
      .map((name) => `auth.users["${name}"]: give a name without blanks and colons`),
    ...Object.entries(users as Users).flatMap(([name, password]) =>
      isKnown(password) ? passwordProblems(name, password) : [],
    ),
  ];
}

function passwordProblems(user: string, password: unknown): string[] {
  const place = `auth.users["${user}"]`;
  if (typeof password !== "string" || password === "") return [`${place} is not a password: give a text`];
  if (/[\x00-\x1f]/.test(password)) return [`${place} holds a line break or another control character: remove it`];
  const bytes = Buffer.byteLength(`${user}:${password}`);
  return bytes > userLimits.lineBytes
    ? [`${place} makes a line of ${bytes} bytes with its user: give at most ${userLimits.lineBytes}`]
    : [];
}
