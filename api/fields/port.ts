import { Type } from "@sinclair/typebox";
import { defaulted } from "../field";

export const properties = {
  port: defaulted(
    Type.Integer({
      description:
        "TCP port of the servers and of the Service, 1024 to 65535. The Service's port is named memcached, so SRV records are at _memcached._tcp.NAME.NAMESPACE.svc.DOMAIN.",
      format: "int32",
      minimum: 1024,
      maximum: 65535,
      examples: [11311],
    }),
    11211,
  ),
};
