import { Type } from "@sinclair/typebox";
import { objectName, objectNameRule } from "../texts";

export const properties = {
  serviceAccountName: Type.Optional(
    objectName(
      "ServiceAccount that the servers run as, in the resource's namespace, for policies and rights that are bound to one; default when left out. Its token is not mounted: a server never speaks with the API server.",
      "cache-servers",
    ),
  ),
};

export const rules = [objectNameRule("spec.serviceAccountName", "ServiceAccount")];
