import { Type } from "@sinclair/typebox";
import { defaulted, oneOf } from "../field";
import { imageReference } from "../patterns";
import { type Rule, formRule } from "../rule";
import { objectName, objectNameRule } from "../texts";

/** The official image, which servers run unless the resource or the operator's MEMCACHED_IMAGE names another. */
export const defaultMemcachedImage = "docker.io/library/memcached:1.6.45-alpine3.24";

const ImagePullSecret = Type.Object(
  {
    name: objectName(
      "Name of a Secret of type kubernetes.io/dockerconfigjson in the resource's namespace.",
      "registry-credentials",
    ),
  },
  { description: "A reference to one Secret." },
);

export const properties = {
  image: Type.Optional(
    Type.String({
      description:
        "Container image of the servers, with a tag or a digest. Default: the operator's MEMCACHED_IMAGE, which is the official image at a pinned version unless it is set.",
      minLength: 1,
      maxLength: 512,
      examples: [defaultMemcachedImage],
    }),
  ),
  imagePullPolicy: defaulted(
    oneOf(["Always", "IfNotPresent", "Never"], {
      description: "When the node pulls the image: Always, IfNotPresent or Never.",
      examples: ["Always"],
    }),
    "IfNotPresent",
  ),
  imagePullSecrets: Type.Optional(
    Type.Array(ImagePullSecret, {
      description: "Secrets for pulling the image from a private registry.",
      maxItems: 16,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["name"],
      examples: [[{ name: "registry-credentials" }]],
    }),
  ),
};

export const imageRule = (path: string): Rule =>
  formRule(
    path,
    imageReference,
    "must be an image reference, with upper-case letters only in the registry or the tag, and with a digest of full length if it has one: write it like docker.io/library/memcached:1.6.45",
  );

export const rules = [imageRule("spec.image"), objectNameRule("spec.imagePullSecrets[].name", "Secret")];
