import { type Static, Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { oneOf } from "../field";
import { dnsSubdomain } from "../patterns";
import type { Rule } from "../rule";
import { objectName } from "../texts";

const clientCA = Type.Object(
  {
    secretName: Type.Optional(
      objectName("Secret with the certificates; give this or configMapName.", "sessions-client-ca"),
    ),
    configMapName: Type.Optional(
      objectName("ConfigMap with the certificates; give this or secretName.", "sessions-client-ca"),
    ),
    key: Type.Optional(
      Type.String({
        description: "Key under which it has them, in PEM form; ca.crt when left out.",
        minLength: 1,
        maxLength: 253,
        examples: ["ca.crt"],
      }),
    ),
  },
  {
    description:
      "Certificates of the authorities that sign the clients' certificates. With it every client must show such a certificate; left out, none is asked for.",
  },
);

export const properties = {
  tls: Type.Optional(
    Type.Object(
      {
        secretName: objectName(
          "Secret of type kubernetes.io/tls, as cert-manager makes it, with the servers' certificate (tls.crt, followed by its intermediates) and key (tls.key). The certificate should hold the names that clients connect to, those of status.servers.",
          "sessions-tls",
        ),
        clientCA: Type.Optional(clientCA),
        minVersion: Type.Optional(
          oneOf(["1.2", "1.3"], {
            description: "Oldest version of TLS that the servers accept; 1.2 when left out.",
            examples: ["1.3"],
          }),
        ),
        plaintextPort: Type.Optional(
          Type.Integer({
            description:
              "A second port on which the servers and the Service speak without TLS, 1024 to 65535, for the time in which clients are moved over. None when left out.",
            format: "int32",
            minimum: 1024,
            maximum: 65535,
            examples: [11212],
          }),
        ),
      },
      {
        description:
          "Encrypts the connections of clients: spec.port speaks TLS alone. A renewed certificate is used within 90 seconds; no server restarts, and no connection is cut. Left out, the servers speak plain text.",
      },
    ),
  ),
};

type Tls = NonNullable<Static<(typeof properties)["tls"]>>;

/** CEL: the field is left out, or is the name of an object. */
const celIsName = (field: string): string => `(!has(${field}) || ${field}.matches('${dnsSubdomain}'))`;
const isName = (name: string | undefined): boolean => name === undefined || new RegExp(dnsSubdomain).test(name);

const caNames = ["secretName", "configMapName"] as const;

export const rules: Rule[] = [
  {
    path: "spec.tls",
    cel: `${celIsName("self.secretName")} && (!has(self.clientCA) || (${caNames.map((name) => celIsName(`self.clientCA.${name}`)).join(" && ")}))`,
    message:
      "spec.tls.secretName and the names in spec.tls.clientCA must be names of objects: use lower-case letters, digits, '-' and '.', with a letter or digit at both ends",
    predicate: ({ secretName, clientCA = {} }: Tls) =>
      isName(secretName) && caNames.every((name) => isName(clientCA[name])),
  },
  {
    path: "spec.tls.clientCA",
    cel: "has(self.secretName) != has(self.configMapName)",
    message:
      "spec.tls.clientCA must name either a Secret or a ConfigMap: set one of spec.tls.clientCA.secretName and spec.tls.clientCA.configMapName",
    predicate: ({ secretName, configMapName }: NonNullable<Tls["clientCA"]>) =>
      (secretName === undefined) !== (configMapName === undefined),
  },
  {
    path: "spec",
    fieldPath: ".tls.plaintextPort",
    cel: "!has(self.tls) || !has(self.tls.plaintextPort) || self.tls.plaintextPort != self.port",
    message: "spec.tls.plaintextPort must differ from spec.port, which speaks TLS: choose another port",
    predicate: ({ tls, port }: DefaultedSpec) => tls?.plaintextPort !== port,
  },
];
