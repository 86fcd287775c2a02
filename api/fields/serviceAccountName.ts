import { Type } from "@sinclair/typebox";
import { objectName, objectNameRule } from "../texts";

export const properties = {
  serviceAccountName: Type.Optional(
    objectName(
      "ServiceAccount of the servers' pods, in the resource's namespace, for policies and permissions that are bound to one. Default: the ServiceAccount named default. Its token is not mounted, because servers never call the API server.",
      "cache-servers",
    ),
  ),
};

export const rules = [objectNameRule("spec.serviceAccountName", "ServiceAccount")];
