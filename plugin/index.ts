/**
 * What a folder of this package is when it is loaded as a folder: Pulumi's run-plugin does that with a package that
 * has a PulumiPlugin.yaml. It would call the package by its npm name, which is not the one in the components' tokens, so
 * the components are served here first. Everyone else imports the package by name and gets the components alone.
 */
import { serve } from "./serve";

export * from "../components";

if (process.argv[1]?.replaceAll("\\", "/").includes("/@pulumi/pulumi/cmd/run-plugin")) {
  void serve(process.argv.slice(2));
}
