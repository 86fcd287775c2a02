/** The Go that builds what is not there: found on PATH or where its installers put it. */
import { existsSync } from "node:fs";
import { UserError } from "./errors";
import { run, which } from "./run";

/** The Go that can read our go.mod files; it fetches the toolchain they name by itself, unless told not to. */
const GO_MINOR = 21;

/** No cgo: nothing but Go is needed. Nothing of the user's own build settings gets in. */
export const goEnv = (): NodeJS.ProcessEnv => ({
  ...process.env,
  CGO_ENABLED: "0",
  GOFLAGS: "-buildvcs=false",
  GOWORK: "off",
});

/** Path of a Go that fits. `what` is what must be built; without a Go, or with an old one, fails with what to install. */
export async function findGo(what: string): Promise<string> {
  const needs = `${what} must be built, which needs Go 1.${GO_MINOR} or later`;
  const go = which("go") ?? ["/usr/local/go/bin/go", "/usr/lib/go/bin/go"].find((path) => existsSync(path));
  if (!go)
    throw new UserError(`${needs}: install it (Debian: apt-get install golang; or https://go.dev/dl) and start again.`);
  const version = (await run(go, ["version"])).trim();
  const found = Number(/go1\.(\d+)/.exec(version)?.[1] ?? 0);
  if (found < GO_MINOR) throw new UserError(`${needs}, and ${go} is ${version}: install a newer one and start again.`);
  return go;
}
