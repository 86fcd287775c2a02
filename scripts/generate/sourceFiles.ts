import { apiPage } from "./apiPage";
import { packageSchema } from "./schema";

/** Every file that is made from the components' sources, of which some are generated themselves. */
export function sourceFiles(): Map<string, string> {
  return new Map([
    ["docs/api.md", apiPage()],
    ["schema.json", packageSchema()],
  ]);
}
