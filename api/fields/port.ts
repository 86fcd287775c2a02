import { Type } from "@sinclair/typebox";
import { defaulted } from "../field";

export const properties = {
  port: defaulted(
    Type.Integer({
      description:
        "TCP port the servers listen on, 1024 to 65535. The Service has the same port, named memcached: SRV records are at _memcached._tcp.NAME.NAMESPACE.svc.DOMAIN.",
      format: "int32",
      minimum: 1024,
      maximum: 65535,
      examples: [11311],
    }),
    11211,
  ),
};
