/**
 * The entry point of the package. Pulumi's run-plugin loads a package with a PulumiPlugin.yaml from its folder. It would serve
 * the components under the npm name, which differs from their tokens, so they are served here first. An import of the
 * package only gets the components.
 */
import { serve } from "./serve";

export * from "../components";

if (process.argv[1]?.replaceAll("\\", "/").includes("/@pulumi/pulumi/cmd/run-plugin")) {
  void serve(process.argv.slice(2));
}
