import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { selfSigned } from "../../../operator/runtime/servers/secure/selfSigned";
import type { Lab } from "./lab";

/** A change of an object, as a JSON patch. */
export type Patch = { op: "add" | "replace" | "remove"; path: string; value?: unknown }[];

interface Review {
  request: { uid: string; object: unknown };
}

const configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";

/** A policy of a cluster: a real webhook that changes what is written to a lab's Deployments and StatefulSets. */
export class MutatingWebhook {
  private constructor(
    private readonly lab: Lab,
    private readonly name: string,
    private readonly close: () => void,
  ) {}

  /** Serves; it is in force once `probe`, a write on trial, is answered with what the webhook makes of it. */
  static async start<T>(lab: Lab, patch: (object: T) => Patch): Promise<MutatingWebhook> {
    const { cert, key } = selfSigned("policy");
    const server = createServer({ cert, key }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const { uid, object } = (JSON.parse(Buffer.concat(chunks).toString()) as Review).request;
        const encoded = Buffer.from(JSON.stringify(patch(object as T))).toString("base64");
        const answer = { uid, allowed: true, patchType: "JSONPatch", patch: encoded };
        response.setHeader("content-type", "application/json");
        response.end(JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response: answer }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const name = `policy-${lab.namespace}`;
    await lab.server.client.json("POST", configurations, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata: { name },
      webhooks: [
        {
          name: "policy.example.com",
          clientConfig: { url: `https://127.0.0.1:${port}/`, caBundle: Buffer.from(cert).toString("base64") },
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": lab.namespace } },
          rules: [
            {
              ...{ apiGroups: ["apps"], apiVersions: ["v1"] },
              ...{ operations: ["CREATE", "UPDATE"], resources: ["deployments", "statefulsets"] },
            },
          ],
          failurePolicy: "Fail",
          sideEffects: "None",
          admissionReviewVersions: ["v1"],
        },
      ],
    });
    return new MutatingWebhook(lab, name, () => {
      server.close();
      server.closeAllConnections();
    });
  }

  async stop(): Promise<void> {
    await this.lab.server.client.request("DELETE", `${configurations}/${this.name}`);
    this.close();
  }
}
