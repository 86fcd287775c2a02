import type { KubeObject, ResourceType } from "../../../../operator/runtime";

export const widgets: ResourceType = {
  group: "example.com",
  version: "v1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
};

export interface Widget extends KubeObject {
  spec?: { value?: number; owner?: string };
  status?: Record<string, unknown>;
}

export function widget(
  name: string,
  version: number,
  more: { uid?: string; value?: number; labels?: Record<string, string> } = {},
): Widget {
  const { uid = `uid-${name}`, value = 0, labels } = more;
  return {
    apiVersion: "example.com/v1",
    kind: "Widget",
    metadata: { name, namespace: "ns", uid, resourceVersion: String(version), labels },
    spec: { value },
  };
}
