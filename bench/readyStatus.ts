/** What the Deployment controller says of a Deployment whose pods are all ready. */
export function readyStatus(deployment: { metadata: { generation?: number }; spec: { replicas?: number } }): object {
  const { replicas } = deployment.spec;
  const now = new Date().toISOString();
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  return {
    observedGeneration: deployment.metadata.generation,
    ...{ replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas },
    conditions: [
      { type: "Available", status: "True", reason: "MinimumReplicasAvailable", message: "", ...times },
      { type: "Progressing", status: "True", reason: "NewReplicaSetAvailable", message: "", ...times },
    ],
  };
}
