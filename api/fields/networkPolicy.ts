import { Type } from "@sinclair/typebox";
import podTypes from "../podTypes.json";

/** A peer, passed on as it is given. */
type Peer = Record<string, unknown>;

export const properties = {
  networkPolicy: Type.Optional(
    Type.Object(
      {
        from: Type.Unsafe<Peer[]>({
          ...podTypes.networkPolicyPeers,
          minItems: 1,
          description:
            "Who may reach the servers' ports, as in a NetworkPolicy: pods of this namespace (podSelector), of other namespaces (namespaceSelector, with podSelector or without) or addresses (ipBlock). {podSelector: {}} is every pod of the namespace, {namespaceSelector: {}} every pod of the cluster.",
          kubernetesType: "networking.v1.NetworkPolicyPeer",
          examples: [[{ podSelector: { matchLabels: { app: "shop" } } }]],
        }),
        allowDNS: Type.Optional(
          Type.Boolean({
            description:
              "Whether the servers may ask the cluster's DNS (port 53, UDP and TCP, of any pod or address); false when left out. memcached itself asks for nothing.",
            examples: [true],
          }),
        ),
      },
      {
        description:
          "Closes the servers' pods but for who is named, and lets them reach nobody: a NetworkPolicy with the resource's name. It takes a network plugin that enforces such policies. Left out, there is none.",
      },
    ),
  ),
};
