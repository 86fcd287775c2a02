import assert from "node:assert/strict";
import { openshiftDetector } from "../../../operator/memcached/openshift";
import { ApiError, TransportError } from "../../../operator/runtime";

describe("telling OpenShift", () => {
  const detector = (...answers: (Error | object)[]) => {
    const asked: string[] = [];
    const isOpenshift = openshiftDetector(async (path) => {
      asked.push(path);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    });
    return { asked, isOpenshift };
  };

  it("is to see its security group served, asked for once", async () => {
    const { asked, isOpenshift } = detector({ kind: "APIGroup" });
    assert.deepEqual(await Promise.all([isOpenshift(), isOpenshift()]), [true, true]);
    assert.deepEqual(asked, ["/apis/security.openshift.io"]);
  });

  it("is no where the group is unknown", async () => {
    assert.equal(await detector(new ApiError(404, "NotFound", "no")).isOpenshift(), false);
  });

  it("is asked again after no answer came", async () => {
    const { isOpenshift } = detector(new TransportError("ECONNREFUSED", "no"), { kind: "APIGroup" });
    await assert.rejects(isOpenshift(), TransportError);
    assert.equal(await isOpenshift(), true);
  });
});
