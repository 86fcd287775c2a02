import { Type } from "@sinclair/typebox";
import { defaulted } from "../field";

export const properties = {
  verbosity: defaulted(
    Type.Integer({
      description: "What the servers log: 0 nothing, 1 errors and warnings (-v), 2 also every command (-vv).",
      format: "int32",
      minimum: 0,
      maximum: 2,
      examples: [2],
    }),
    1,
  ),
};
