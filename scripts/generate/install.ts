import { memcachedCrd } from "../../api";
import { operatorManifests } from "../../components/manifests";
import { version } from "../../package.json";
import { yamlOf } from "./yaml";

/** The operator's image unless another is given; `npm run image` builds it under any name. */
export const defaultOperatorImage = `memcached-operator:${version}`;

/** The CRD and the operator's objects, in the order in which they can be applied. */
export function installManifests(image = defaultOperatorImage, operandImage?: string): object[] {
  return [memcachedCrd(), ...operatorManifests({ image, operandImage })];
}

/** deploy/install.yaml: the operator for people who use kubectl. */
export function installYaml(image = defaultOperatorImage, operandImage?: string): string {
  const comment = [
    "The Memcached operator and its CRD: kubectl apply --server-side -f install.yaml",
    `The image is ${image}; put the name under which your nodes can pull it, or use npm run deploy -- IMG.`,
  ];
  return yamlOf(comment.join("\n"), ...installManifests(image, operandImage));
}
