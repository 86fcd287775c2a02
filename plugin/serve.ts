import { readFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "@pulumi/pulumi/provider";
import { memcachedProvider } from "./provider";

/** Serves the components over gRPC to the engine that started this process, and prints the port. */
export function serve(args: string[]): Promise<void> {
  // Next to this folder, in the sources and in dist/.
  const schema = readFileSync(join(__dirname, "..", "schema.json"), "utf8");
  return main(memcachedProvider(schema), args);
}
