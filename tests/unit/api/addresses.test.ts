import assert from "node:assert/strict";
import { clusterDomainIn, hostName, isClusterDomain, serverAddresses } from "../../../api";
import { Status } from "../../../api/status";

const place = { name: "cache", namespace: "shop", clusterDomain: "cluster.local" };

describe("a cache's addresses", () => {
  it("are full names: one of a Deployment, one of each server of a StatefulSet", () => {
    const host = "cache.shop.svc.cluster.local";
    assert.equal(hostName(place), host);
    assert.deepEqual(serverAddresses(place, { workload: "Deployment", size: 3, port: 11211 }), [`${host}:11211`]);
    assert.deepEqual(serverAddresses(place, { workload: "StatefulSet", size: 2, port: 11311 }), [
      `cache-0.${host}:11311`,
      `cache-1.${host}:11311`,
    ]);
    assert.deepEqual(serverAddresses(place, { workload: "StatefulSet", size: 0, port: 11311 }), []);
  });

  it("fit into the status, the longest too", () => {
    const clusterDomain = "d".repeat(128);
    assert.ok(isClusterDomain(clusterDomain) && !isClusterDomain(`${clusterDomain}d`));
    const longest = { name: "n".repeat(52), namespace: "s".repeat(63), clusterDomain };
    const [last = ""] = serverAddresses(longest, { workload: "StatefulSet", size: 100, port: 65535 }).slice(-1);
    const { maxLength = 0 } = Status.properties.servers.items;
    assert.ok(last.length <= maxLength, `${last.length} characters`);
  });

  it("tell the cluster's domain, unless they have none or are of another cache", () => {
    for (const workload of ["Deployment", "StatefulSet"] as const) {
      const [first = ""] = serverAddresses(place, { workload, size: 1, port: 11211 });
      assert.equal(clusterDomainIn(first, place), "cluster.local");
      assert.equal(clusterDomainIn(first, { ...place, namespace: "other" }), undefined);
    }
    assert.equal(clusterDomainIn("cache.shop.svc:11211", place), undefined);
  });

  for (const wrong of ["", "cluster.local.", ".local", "a..b", "Cluster.local", "cluster local", "-a", "a_b"])
    it(`do not end in "${wrong}"`, () => assert.ok(!isClusterDomain(wrong)));
});
