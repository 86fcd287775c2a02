import { Type } from "@sinclair/typebox";
import { defaultMemcachedImage, imageRule } from "./image";

export const properties = {
  reload: Type.Optional(
    Type.Object(
      {
        image: Type.Optional(
          Type.String({
            description:
              "Container image of the helper that notices a changed Secret and sends the server a SIGHUP. It needs a shell (sh) and readlink; with memcached in it the helper also tries new files before the server gets them. The server's own image when left out.",
            minLength: 1,
            maxLength: 512,
            examples: [defaultMemcachedImage],
          }),
        ),
      },
      {
        description:
          "How servers take in changes of the Secrets that spec.tls and spec.auth name. Left out, a helper container of the server's own image does it.",
      },
    ),
  ),
};

export const rules = [imageRule("spec.reload.image")];
