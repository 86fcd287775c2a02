import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import type { Rule } from "../rule";
import { bareLetters } from "./extraArgs";
import { objectName, objectNameRule } from "../texts";

/** memcached reads so many users, each in a line of so many bytes, and leaves out the rest. */
export const userLimits = { users: 8, lineBytes: 255 };

export const properties = {
  auth: Type.Optional(
    Type.Object(
      {
        secretName: objectName(
          "Secret whose key users holds the users, in memcached's own form: a line user:password for each, 8 lines at most, each of at most 255 characters. The same user may have two lines, an old and a new password.",
          "sessions-users",
        ),
      },
      {
        componentFields: {
          users: {
            type: "object",
            additionalProperties: { type: "string" },
            description:
              "Users with their passwords, 8 at most, in place of secretName: the component makes the Secret, and a changed password reaches the servers without a restart. Which users there are must be known when the program runs; passwords may be Outputs, and are secrets in Pulumi's state.",
            examples: ['{ app: config.requireSecret("password") }'],
          },
        },
        description:
          "Asks clients for a user and a password, in the text protocol; the binary protocol is off. A changed password holds within 90 seconds; no server restarts, and no connection is cut. Left out, everyone who reaches a server may use it.",
      },
    ),
  ),
};

const setsTls = "ssl_";
const setsAuth = `^-[${bareLetters}]*Y|^--auth`;

export const rules: Rule[] = [
  objectNameRule("spec.auth.secretName", "Secret"),
  {
    path: "spec",
    fieldPath: ".extraArgs",
    cel: `!has(self.extraArgs) || self.extraArgs.all(a, !(has(self.tls) && a.contains('${setsTls}')) && !(has(self.auth) && a.matches('${setsAuth}')))`,
    message:
      "spec.extraArgs must not set options of TLS (-o ssl_…) when spec.tls is set, nor -Y (--auth-file) when spec.auth is set: remove them",
    predicate: ({ tls, auth, extraArgs = [] }: DefaultedSpec) =>
      extraArgs.every((word) => !(tls && word.includes(setsTls)) && !(auth && new RegExp(setsAuth).test(word))),
  },
];
