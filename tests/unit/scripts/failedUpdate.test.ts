import assert from "node:assert/strict";
import { failedUpdate, failureLines, type CacheObject } from "../../../scripts/stack/failedUpdate";

const OPERATOR = { namespace: "system", name: "controller" };
const CACHE = { namespace: "shop", name: "sessions" };
const KUBECTL = "kubectl --kubeconfig k";

function cache(status: "True" | "False", reason = "", message = ""): CacheObject {
  const condition = { type: "Ready", status, reason, message, lastTransitionTime: "" } as const;
  return { metadata: CACHE, status: { conditions: [condition] } };
}

describe("the last lines of a failed npm start", () => {
  const done = { done: true };

  it("are the cache's own words, and where to see more", () => {
    const found = failureLines(
      OPERATOR,
      done,
      cache("False", "Unschedulable", "pod p: 0/1 nodes are available"),
      KUBECTL,
    );
    assert.deepEqual(found, [
      "The cache sessions is not ready: Unschedulable: pod p: 0/1 nodes are available",
      'Remedy: mend that, and run "npm start" again. More of it: kubectl --kubeconfig k describe memcached/sessions -n shop',
    ]);
  });

  it("say what to do when an image is not there, whoever misses it", () => {
    const remedy = /^Remedy: the node has no such image .* "npm stop" and then "npm start" load the images anew\.$/;
    const ofCache = failureLines(OPERATOR, done, cache("False", "ErrImagePull", "no such host"), KUBECTL);
    assert.match(ofCache[1]!, remedy);
    const problem = "pod op-1: ImagePullBackOff: back-off";
    const ofOperator = failureLines(OPERATOR, { done: false, problem }, undefined, KUBECTL);
    assert.equal(ofOperator[0], "The operator does not run: pod op-1: ImagePullBackOff: back-off");
    assert.match(ofOperator[1]!, remedy);
  });

  it("are the operator's while it does not run, for a cache is not looked at then", () => {
    const found = failureLines(OPERATOR, { done: false }, cache("False", "Reconciling", "of before"), KUBECTL);
    assert.equal(found[0], "The operator does not run: no pod of it is ready");
    assert.match(found[1]!, /kubectl --kubeconfig k logs -n system deployment\/controller$/);
    const unseen = failureLines(OPERATOR, done, { metadata: CACHE }, KUBECTL);
    assert.equal(unseen[0], "The cache sessions is not ready: the operator has not looked at it yet");
  });

  it("are none when all is well, or nothing can be read", async () => {
    assert.deepEqual(failureLines(OPERATOR, done, cache("True"), KUBECTL), []);
    const away = () => Promise.reject(new Error("connection refused"));
    assert.deepEqual(await failedUpdate(away, OPERATOR, CACHE, KUBECTL), []);
  });
});
