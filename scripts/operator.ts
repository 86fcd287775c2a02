/** `npm run operator -- [flags]`: the controller on this machine, against the cluster of KUBECONFIG or `--kubeconfig`. */
import "../operator/main";
