import assert from "node:assert/strict";
import { proxyFor } from "../../../operator/runtime/http/proxyFor";

describe("proxyFor", () => {
  const via = (server: string, env: NodeJS.ProcessEnv, configured?: string) => proxyFor(server, env, configured)?.href;
  const proxy = "http://proxy:3128/";

  it("kubernetes-client/javascript#648: takes HTTPS_PROXY for https and its lower-case spelling", () => {
    assert.equal(via("https://api.example.com", { HTTPS_PROXY: "http://proxy:3128" }), proxy);
    assert.equal(via("https://api.example.com", { https_proxy: "proxy:3128" }), proxy);
    assert.equal(via("https://api.example.com", { HTTP_PROXY: "http://proxy:3128" }), undefined);
  });

  it("uses the cluster's own proxy-url whatever the environment says", () => {
    assert.equal(via("https://10.0.0.1", { NO_PROXY: "10.0.0.0/8" }, "http://proxy:3128"), proxy);
  });

  const exempt: [string, string, boolean][] = [
    ["https://10.96.0.1:443", "10.96.0.0/12", true],
    ["https://10.112.0.1:443", "10.96.0.0/12", false],
    ["https://[fd00:10:96::1]:443", "fd00:10:96::/112", true],
    ["https://[fd00:10:97::1]:443", "fd00:10:96::/112", false],
    ["https://10.96.0.1", "10.96.0.1", true],
    ["https://[fd00::1]:6443", "[fd00::1]:6443", true],
    ["https://[fd00::1]:6443", "fd00:0:0::1", true],
    ["https://api.example.com", "example.com", true],
    ["https://api.example.com", ".example.com", true],
    ["https://example.com", ".example.com", false],
    ["https://api.example.com", "*.example.com", true],
    ["https://badexample.com", "example.com", false],
    ["https://api.example.com:6443", "api.example.com:443", false],
    ["https://api.example.com:6443", "localhost, api.example.com:6443", true],
    ["https://kubernetes.default.svc", "*", true],
    ["https://KUBERNETES.default.svc", "kubernetes.default.svc", true],
    ["https://localhost:6443", "", true],
    ["https://127.0.0.1:6443", "", true],
    ["https://[::1]:6443", "", true],
    ["https://10.0.0.1", "10.0.0.0/40", false],
  ];
  for (const [server, noProxy, direct] of exempt) {
    it(`kubernetes-client/javascript#853: ${server} with NO_PROXY="${noProxy}" goes ${direct ? "direct" : "by the proxy"}`, () => {
      assert.equal(via(server, { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: noProxy }), direct ? undefined : proxy);
    });
  }

  it("says which proxy it cannot use", () => {
    assert.throws(
      () => proxyFor("https://a", {}, "socks5://proxy:1080"),
      /"socks5:\/\/proxy:1080" is not supported: give an http/,
    );
    assert.throws(() => proxyFor("https://a", { HTTPS_PROXY: "http://" }), /is not a URL/);
  });
});
