import { Type } from "@sinclair/typebox";
import { defaulted, oneOf } from "../field";
import { imageReference } from "../patterns";
import { type Rule, formRule } from "../rule";
import { objectName, objectNameRule } from "../texts";

/** The official image a server runs unless the resource or the operator's MEMCACHED_IMAGE says otherwise. */
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
        "Container image of the server, with a tag or a digest. When left out, the operator's MEMCACHED_IMAGE, which defaults to the official image at a pinned version.",
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
      description: "Secrets with which the node pulls the image from a private registry.",
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
    "must be an image reference, of which only the registry's name and the tag may have capitals, with a digest of full length if any: write it like docker.io/library/memcached:1.6.45",
  );

export const rules = [imageRule("spec.image"), objectNameRule("spec.imagePullSecrets[].name", "Secret")];
