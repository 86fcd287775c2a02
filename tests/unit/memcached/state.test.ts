import assert from "node:assert/strict";
import { KeyStates } from "../../../operator/memcached/state";

const key = (name: string) => ({ namespace: "shop", name });

describe("what is remembered of a Memcached", () => {
  it("is one record, also of what was seen before its first pass, and is gone when it is forgotten", () => {
    const states = new KeyStates();
    const seen = states.ofLabel(key("cache"));
    assert.equal(states.of(key("cache")), seen);
    assert.equal(states.of(key("cache")), seen);
    assert.equal(states.ofLabel(key("cache")), seen);
    states.forget(key("cache"));
    assert.notEqual(states.of(key("cache")), seen);
  });

  it("is bounded where labels name ever more Memcacheds that do not exist, without harm to those that do", () => {
    const states = new KeyStates();
    const existing = states.of(key("cache"));
    const oldest = states.ofLabel(key("0"));
    for (let i = 1; i < 4096; i++) states.ofLabel(key(String(i)));
    assert.equal(states.ofLabel(key("0")), oldest);
    const latest = states.ofLabel(key("4096"));
    assert.notEqual(states.ofLabel(key("0")), oldest);
    assert.equal(states.ofLabel(key("4096")), latest);
    assert.equal(states.ofLabel(key("cache")), existing);
  });
});
