import assert from "node:assert/strict";
import { clusterDomainOf } from "../../../operator/memcached/clusterDomain";

const search = (list: string) => `search ${list}\nnameserver 10.96.0.10\noptions ndots:5\n`;

describe("the cluster's domain by a pod's resolv.conf", () => {
  const found: [what: string, text: string, domain: string | undefined][] = [
    ["usual", search("system.svc.cluster.local svc.cluster.local cluster.local"), "cluster.local"],
    [
      "of a cluster's own, before what the node searches",
      search("system.svc.k8s.example.com svc.k8s.example.com k8s.example.com example.com"),
      "k8s.example.com",
    ],
    ["of one label, between tabs", "nameserver 10.0.0.10\nsearch\ta.svc.test\tsvc.test  test\n", "test"],
    [
      "that stands last",
      `search example.com\n${search("a.svc.cluster.local svc.cluster.local cluster.local")}`,
      "cluster.local",
    ],
    ["of a machine", search("example.com"), undefined],
    ["of a pod with a policy of its own", search("svc.cluster.local cluster.local"), undefined],
    ["of two clusters", search("a.svc.one.example svc.one.example two.example"), undefined],
    ["without a search list", "nameserver 10.0.0.10\n", undefined],
    ["that cannot be read", "", undefined],
  ];
  for (const [what, text, domain] of found)
    it(`${what}: ${domain ?? "none"}`, () => assert.equal(clusterDomainOf(text), domain));
});
