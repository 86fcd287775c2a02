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

/** What the children are made of. */
export interface Context {
  name: string;
  spec: DefaultedSpec;
  environment: Environment;
  /** Whether a StatefulSet replaces a Deployment that still exists, or whose pods still run. */
  takesOver: boolean;
}

export const contextOf = ({ metadata, spec }: Memcached, environment: Environment, takesOver = false): Context => ({
  ...{ name: metadata.name, spec: withDefaults(spec), environment, takesOver },
});

/** The parts of the children that depend on fields. The rest is in `podTemplate.ts` and `children/`. */
export interface Parts {
  /** Metadata of every child. */
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

/** What one field of the Memcached, or a few related ones, add to the parts of the children. Undefined and empty values are not sent. */
export type Field = { [Part in keyof Parts]?: (context: Context) => Parts[Part] } & {
  /**
   * Maps fields of a child to the Memcached's own, to translate the API server's errors. The name may refer to groups of the
   * expression.
   */
  origins?: [inChild: RegExp, own: string][];
};
