/** The operator under its container's memory limit, in a cluster with many caches and many more objects of others. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiClient } from "../cluster/apiClient";
import type { Child } from "../cluster/child";
import { startControlPlane } from "../cluster/controlPlane";
import { freePorts } from "../cluster/ports";
import { say } from "../cluster/report";
import { adminPod, installCrd } from "./arena";
import { Field, inParallel } from "./field";
import { MemoryCgroup } from "./memoryCgroup";
import { bundledOperator } from "./program";
import { processMiB } from "./usage";

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
  const cgroup = MemoryCgroup.make(`memcached-scale-${process.pid}`, options.limitBytes);
  const stages: Stage[] = [];
  let running: Child | undefined;
  let field: Field | undefined;
  try {
    await installCrd(plane.client);
    await makeForeign(plane.client, options.foreign);
    const bundled = await bundledOperator(join(dir, "bundle"));
    const program = { ...bundled, command: cgroup.around(bundled.command) };
    const [port] = await freePorts(1);
    const metrics = [`--metrics-bind-address=127.0.0.1:${port}`, "--metrics-secure=false"];
    const { pod } = await adminPod(join(dir, "operator"), plane);
    const log = join(dir, "operator.log");
    const start = () => (running = pod.start(program, [...metrics, "--health-probe-bind-address=0"], log));
    const measured = async (what: string, { pid }: Child) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      const heapMiB = Number(/^nodejs_heap_size_used_bytes (\S+)$/m.exec(text)?.[1]) / 2 ** 20;
      stages.push({ what, heapMiB, residentMiB: processMiB(pid, "VmRSS"), peakMiB: cgroup.peakMiB() });
      say(`${what}: ${JSON.stringify(stages.at(-1))}`);
    };
    const names = Array.from({ length: options.caches }, (_, i) => `cache-${i}`);

    field = await Field.open(plane.client, "caches");
    const first = start();
    await field.create(names, 1);
    await field.settle("the caches", names, 1, first);
    await measured("created", first);
    await field.resize(names, 2);
    await field.settle("the resized caches", names, 2, first);
    await measured("resized", first);
    await first.stop();
    const second = start();
    await field.create(["fresh"], 1);
    await field.settle("a fresh cache after a restart", ["fresh"], 1, second);
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
