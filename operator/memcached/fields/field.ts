import type {
  V1Container,
  V1DeploymentSpec,
  V1NetworkPolicySpec,
  V1ObjectMeta,
  V1PodDisruptionBudgetSpec,
  V1PodSpec,
  V1ServiceSpec,
} from "@kubernetes/client-node";
import { type DefaultedSpec, type Memcached, withDefaults } from "../../../api";
import type { Environment } from "../children/child";

/** What the children of a Memcached are made from. */
export interface Context {
  name: string;
  spec: DefaultedSpec;
  environment: Environment;
  /** Whether servers of a Deployment are there, or were just now, that a StatefulSet takes over from. */
  takesOver: boolean;
}

export const contextOf = ({ metadata, spec }: Memcached, environment: Environment, takesOver = false): Context => ({
  ...{ name: metadata.name, spec: withDefaults(spec), environment, takesOver },
});

/** The parts of the children that fields shape; the rest is in `podTemplate.ts` and `children/`. */
export interface Parts {
  /** Of every child. */
  metadata: Pick<V1ObjectMeta, "labels">;
  podMetadata: Pick<V1ObjectMeta, "labels" | "annotations">;
  pod: Partial<V1PodSpec>;
  container: Partial<V1Container>;
  deployment: Partial<V1DeploymentSpec>;
  serviceMetadata: Pick<V1ObjectMeta, "annotations">;
  service: Partial<V1ServiceSpec>;
  disruptionBudget: Partial<V1PodDisruptionBudgetSpec>;
  networkPolicy: Partial<V1NetworkPolicySpec>;
}

/**
 * What a field of the Memcached, or a few that belong together, do to its children: for each part that they shape, their share of it. What
 * is undefined or empty is not sent.
 */
export type Field = { [Part in keyof Parts]?: (context: Context) => Parts[Part] } & {
  /**
   * Where the fields stand in the children, so that what the API server says of a child is told of the Memcached's own field, whose name may
   * take over groups of the expression.
   */
  origins?: [inChild: RegExp, own: string][];
};
