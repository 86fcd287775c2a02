import type { ApiClient } from "../../cluster/apiClient";
import { waitFor } from "../../cluster/wait";
import type { Arena, Contender } from "../arena";
import { Field } from "../field";
import type { Crowd } from "../results";

/** How many fresh resources are tried, one after the other, while the failing ones are retried. */
const TRIES = 5;

/** How long a fresh resource waits among `total`, of which a tenth fails for ever: their Deployments are refused by a policy. */
export async function crowd({ api }: Arena, contender: Contender, namespace: string, total: number): Promise<Crowd> {
  const failing = total / 10;
  const field = await Field.open(api, namespace);
  await refuseDeployments(api, namespace);
  const fine = Array.from({ length: total - failing }, (_, i) => `fine-${i}`);
  const failed = Array.from({ length: failing }, (_, i) => `failing-${i}`);
  const running = contender.start();
  try {
    await field.create([...failed, ...fine], 1);
    await field.settle("the crowd", fine, 1, running);
    const touched: number[] = [];
    for (const name of Array.from({ length: TRIES }, (_, i) => `fresh-${i}`)) {
      const from = performance.now();
      await field.create([name], 1);
      touched.push((await field.touched(name, running)) - from);
      await field.settle("the fresh resource", [name], 1, running);
    }
    return { total, failing, touchedMs: Math.max(...touched) };
  } finally {
    await running.stop("SIGKILL");
    await field.close();
  }
}

const policies = "/apis/admissionregistration.k8s.io/v1";

async function refuseDeployments(api: ApiClient, namespace: string): Promise<void> {
  const name = `refuse-${namespace}`;
  await api.json("POST", `${policies}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: {
      matchConstraints: {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": namespace } },
        resourceRules: [
          { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
        ],
      },
      validations: [
        { expression: "!object.metadata.name.startsWith('failing-')", message: "the race wants this one to fail" },
      ],
    },
  });
  const spec = { policyName: name, validationActions: ["Deny"] };
  await api.json("POST", `${policies}/validatingadmissionpolicybindings`, { metadata: { name }, spec });
  await waitFor("the policy to refuse Deployments", { limitMs: 60_000 }, () => isRefused(api, namespace));
}

async function isRefused(api: ApiClient, namespace: string): Promise<boolean> {
  const labels = { app: "probe" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "probe", image: "probe" }] } };
  const body = { metadata: { name: "failing-probe" }, spec: { selector: { matchLabels: labels }, template } };
  return api.json("POST", `/apis/apps/v1/namespaces/${namespace}/deployments?dryRun=All`, body).then(
    () => false,
    (error: unknown) => String(error).includes("wants this one to fail"),
  );
}
