/** The operator under its container's memory limit, in a cluster with many caches and many more objects of others. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultMemcachedImage } from "../api";
import { startControlPlane } from "../cluster/controlPlane";
import { freePorts } from "../cluster/ports";
import { say } from "../cluster/report";
import { bundleOperator } from "../build/bundleOperator";
import type { ApiClient } from "../cluster/apiClient";
import { home, identity, installCrd } from "./arena";
import { entrypoint, environment } from "./contenders";
import { Field, inParallel } from "./field";
import { inPod } from "./inPod";
import { MemoryCgroup } from "./memoryCgroup";
import { Running } from "./process";

export interface ScaleOptions {
  caches: number;
  /** Services, and as many Deployments, that belong to others. */
  foreign: number;
  limitBytes: number;
}

/** What was measured at the end of one part, in MiB. */
export interface Stage {
  what: string;
  heapMiB: number;
  residentMiB: number;
  /** The cgroup's highest mark so far. */
  peakMiB: number;
}

/** Rejects, with the end of its log, when the operator's process ends by itself. */
export async function runScale(options: ScaleOptions): Promise<{ ceilingMiB: number; stages: Stage[] }> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-scale-"));
  const plane = await startControlPlane({ dir: join(dir, "control-plane"), controllers: [] });
  const { client: api } = plane;
  const cgroup = MemoryCgroup.make(`memcached-scale-${process.pid}`, options.limitBytes);
  const stages: Stage[] = [];
  let running: Running | undefined;
  let field: Field | undefined;
  try {
    await installCrd(api);
    await makeForeign(api, options.foreign);
    const bundle = join(dir, "bundle");
    await bundleOperator(bundle);
    const dockerfile = readFileSync(join(bundle, "Dockerfile"), "utf8");
    const [port] = await freePorts(1);
    const flags = [
      `--metrics-bind-address=127.0.0.1:${port}`,
      "--metrics-secure=false",
      "--health-probe-bind-address=0",
    ];
    const { PATH, HOME } = process.env;
    await api.request("POST", "/api/v1/namespaces", { metadata: { name: home } });
    const pod = inPod(join(dir, "account"), plane, home, await identity(api, "ours"));
    const env = { ...environment(dockerfile), ...pod.env, PATH, HOME };
    const log = join(dir, "operator.log");
    const start = () => {
      const command = cgroup.around(pod.around([...entrypoint(dockerfile, bundle), ...flags]));
      return new Running(command, { ...env, MEMCACHED_IMAGE: defaultMemcachedImage }, log);
    };
    const measured = async (what: string, of: Running) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const heapMiB = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
      stages.push({ what, heapMiB, residentMiB: of.usage().rssMiB, peakMiB: cgroup.peakMiB() });
      say(`${what}: ${JSON.stringify(stages.at(-1))}`);
    };
    const caches = (field = await Field.open(api, "caches"));
    const names = Array.from({ length: options.caches }, (_, i) => `cache-${i}`);
    const settle = (what: string, which: string[], size: number, of: Running) =>
      caches.until(
        what,
        which,
        (name) => caches.settled(name, size),
        () => of.check(),
      );

    const first = (running = start());
    await caches.create(names, 1);
    await settle("the caches", names, 1, first);
    await measured("created", first);
    await caches.resize(names, 2);
    await settle("the resized caches", names, 2, first);
    await measured("resized", first);
    await first.stop();
    const second = (running = start());
    await caches.create(["fresh"], 1);
    await settle("a fresh cache after a restart", ["fresh"], 1, second);
    await measured("started again", second);
    return { ceilingMiB: Number(/"heapCeilingMiB":(\d+)/.exec(readFileSync(log, "utf8"))?.[1]), stages };
  } finally {
    field?.leave();
    await running?.stop("SIGKILL");
    await plane.stop();
    await cgroup.remove();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function makeForeign(api: ApiClient, count: number): Promise<void> {
  await api.json("POST", "/api/v1/namespaces", { metadata: { name: "others" } });
  say(`making ${count} Services and Deployments of others …`);
  await inParallel(
    Array.from({ length: count }, (_, i) => `app-${i}`),
    async (name) => {
      const labels = { "app.kubernetes.io/name": name, "app.kubernetes.io/part-of": "others", team: "another" };
      const container = { name: "app", image: "example.com/app:1", env: [{ name: "NAME", value: name }] };
      const template = { metadata: { labels }, spec: { containers: [container] } };
      const spec = { replicas: 1, selector: { matchLabels: { "app.kubernetes.io/name": name } }, template };
      await api.json("POST", "/apis/apps/v1/namespaces/others/deployments", { metadata: { name, labels }, spec });
      const service = { clusterIP: "None", selector: spec.selector.matchLabels, ports: [{ port: 80 }] };
      await api.json("POST", "/api/v1/namespaces/others/services", { metadata: { name, labels }, spec: service });
    },
  );
}
