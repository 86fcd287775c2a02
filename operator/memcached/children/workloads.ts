import type { WorkloadKind } from "../types";
import type { Child } from "./child";
import { deployment } from "./deployment";
import { statefulSet } from "./statefulSet";

/** The child that runs the servers, for each value of spec.workload. */
export const workloads: Record<WorkloadKind, Child> = { Deployment: deployment, StatefulSet: statefulSet };

/** The kind that may be left after a change of spec.workload. */
export const formerKind: Record<WorkloadKind, WorkloadKind> = { Deployment: "StatefulSet", StatefulSet: "Deployment" };
