/** `npm run deploy -- IMG`: installs CRD, rights and the operator with image IMG by `kubectl apply`. */
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { installYaml } from "./generate/install";
import { kubectl } from "./stack/target";

const USAGE = "usage: npm run deploy -- IMG";

main(async () => {
  const { positionals } = parseCommandLine(USAGE, {});
  const [image, ...rest] = positionals;
  if (!image || rest.length > 0) throw usageError(USAGE);
  await kubectl(["apply", "--server-side", "--force-conflicts", "-f", "-"], installYaml(image));
});
