import assert from "node:assert/strict";
import { violations } from "../../../examples/policy/rules";

const cache = (props: object) => ({ type: "kubernetes:cache.example.com/v1:Memcached", name: "sessions", props });
const operator = (image: unknown) => ({ type: "memcached:index:MemcachedOperator", name: "op", props: { image } });
const labels = { team: "shop" };

describe("the example's policy rules", () => {
  it("take a cache with an owner and two servers, or a size that is another's", () => {
    assert.deepEqual(violations(cache({ metadata: { labels }, spec: { size: 2 } })), []);
    assert.deepEqual(violations(cache({ metadata: { labels }, spec: {} })), []);
  });

  it("say whose cache is missing an owner, and which has one server", () => {
    assert.deepEqual(violations(cache({ spec: { size: 1 } })), [
      'sessions has no label "team": say whose cache it is',
      "sessions has one server: give it a size of 2 or more, or leave the size to an autoscaler",
    ]);
  });

  it("take operator images of one registry, and those that are not known yet", () => {
    assert.deepEqual(violations(operator("registry.example.com/op:1")), []);
    assert.deepEqual(violations(operator(undefined)), []);
    assert.deepEqual(violations(operator("elsewhere/op:1")), [
      "op runs elsewhere/op:1: take an image of registry.example.com",
    ]);
  });

  it("leave other kinds alone", () => {
    assert.deepEqual(violations({ type: "kubernetes:core/v1:ConfigMap", name: "c", props: {} }), []);
  });
});
