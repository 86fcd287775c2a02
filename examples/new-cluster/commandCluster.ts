import { dynamic, secret } from "@pulumi/pulumi";
import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";

interface CommandClusterArgs {
  /** Makes the cluster and prints its kubeconfig. */
  create: Input<string>;
  /** Removes the cluster. */
  remove?: Input<string>;
}

/**
 * A cluster that a command makes, such as `kind create cluster && kind get kubeconfig`. It stands for whatever makes
 * yours: `eks.Cluster`, `gcp.container.Cluster` and the like also know their kubeconfig only once they are there.
 */
export class CommandCluster extends dynamic.Resource {
  /** Unknown while the cluster is not there: in the first preview. */
  declare readonly kubeconfig: Output<string>;

  constructor(name: string, args: CommandClusterArgs, opts?: CustomResourceOptions) {
    super(provider, name, { kubeconfig: undefined, ...args }, { ...opts, additionalSecretOutputs: ["kubeconfig"] });
    this.kubeconfig = secret(this.kubeconfig);
  }
}

interface State {
  create: string;
  remove?: string;
  kubeconfig?: string;
}

const provider: dynamic.ResourceProvider<State, State> = {
  async create(inputs) {
    return { id: "cluster", outs: { ...inputs, kubeconfig: await shell(inputs.create) } };
  },
  async delete(_id, state) {
    if (state.remove) await shell(state.remove);
  },
};

async function shell(command: string): Promise<string> {
  const { execFile } = await import("child_process");
  return new Promise((resolve, reject) =>
    execFile("sh", ["-c", command], (error, stdout, stderr) =>
      error ? reject(new Error(`${command} failed: ${stderr.trim() || error.message}`)) : resolve(stdout),
    ),
  );
}
