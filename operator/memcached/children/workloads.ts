import type { WorkloadKind } from "../types";
import type { Child } from "./child";
import { deployment } from "./deployment";
import { statefulSet } from "./statefulSet";

/** The child that runs the servers, for each value of spec.workload. */
export const workloads: Record<WorkloadKind, Child> = { Deployment: deployment, StatefulSet: statefulSet };

/** What may be left from before spec.workload was changed. */
export const formerKind: Record<WorkloadKind, WorkloadKind> = { Deployment: "StatefulSet", StatefulSet: "Deployment" };
