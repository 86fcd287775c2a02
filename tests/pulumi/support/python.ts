/** Python with Pulumi's SDK. */
import { join } from "node:path";
import { run } from "../../../cluster/run";
import { pythonWith } from "../../support/python";

/** Path of a `python3` that has what requirements.txt lists. */
export const pythonWithPulumi = (): Promise<string> => pythonWith(join(__dirname, "requirements.txt"));

/** Installs the SDK that Pulumi generates from the schema into a folder for PYTHONPATH. */
export async function installSdk(python: string, sdkgen: string, schema: string, folder: string): Promise<string> {
  const [source, site] = [join(folder, "sdk"), join(folder, "site-packages")];
  await run(sdkgen, [schema, source]);
  const how = ["--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation", "--target", site];
  await run(python, ["-m", "pip", "install", ...how, source]);
  return site;
}
