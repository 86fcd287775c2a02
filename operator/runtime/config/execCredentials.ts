import type { Config, TlsMaterial } from "./config";
import { type ExecConfig, type ExecStatus, runPlugin } from "./execPlugin";

/** A refresh asked for so soon after another shares its result, and so does who asks so soon after a failure. */
const sharedMs = 1_000;

interface Run {
  refreshed: boolean;
  result: Promise<ExecStatus>;
  /** By `performance.now()`. */
  endedAt?: number;
  failed?: boolean;
  /** By the wall clock. */
  expiresAt?: number;
}

/**
 * Credentials by exec plugin, run when the first request wants them, when they have expired, and after a 401. However many requests wait,
 * one run serves them all. `base` gives the rest of what TLS needs; `cluster` what the plugin is told of the cluster.
 */
export function execCredentials(
  exec: ExecConfig,
  base: Config["tls"],
  cluster: () => Promise<object | undefined>,
  limitMs?: number,
): Pick<Config, "tls" | "authorization"> {
  let last: Run | undefined;
  const serves = (run: Run, refresh: boolean): boolean => {
    if (run.endedAt === undefined) return true;
    const recent = performance.now() - run.endedAt <= sharedMs;
    if (run.failed) return recent;
    if (refresh) return run.refreshed && recent;
    // A plugin that gives what has expired is not asked for every request.
    return run.expiresAt === undefined || Date.now() < run.expiresAt || recent;
  };
  const credentials = (refresh = false): Promise<ExecStatus> => {
    if (last && serves(last, refresh)) return last.result;
    const run: Run = { refreshed: refresh, result: cluster().then((info) => runPlugin(exec, info, limitMs)) };
    run.result.then(
      ({ expirationTimestamp }) => {
        run.endedAt = performance.now();
        if (expirationTimestamp) run.expiresAt = Date.parse(expirationTimestamp);
      },
      () => {
        run.endedAt = performance.now();
        run.failed = true;
      },
    );
    last = run;
    return run.result;
  };
  let built: { from: TlsMaterial; cert?: string; key?: string; material: TlsMaterial } | undefined;
  return {
    async tls() {
      const [from, { clientCertificateData: cert, clientKeyData: key }] = await Promise.all([base(), credentials()]);
      if (cert === undefined) return from;
      if (built?.from !== from || built.cert !== cert || built.key !== key) {
        built = { from, cert, key, material: { ...from, cert, key } };
      }
      return built.material;
    },
    async authorization(refresh) {
      const { token } = await credentials(refresh);
      return token ? `Bearer ${token}` : undefined;
    },
  };
}
