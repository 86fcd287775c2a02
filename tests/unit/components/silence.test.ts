import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { silence } from "../../../stack/silence";

/** Serves in a thread of its own, which answers while this one is busy. */
const SERVER = `
  const { parentPort } = require("node:worker_threads");
  const server = require("node:http").createServer((request, response) => response.end("{}"));
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

describe("asking for the cluster", () => {
  let worker: Worker;
  let url: string;

  before(async () => {
    worker = new Worker(SERVER, { eval: true });
    url = await new Promise<string>((resolve) => {
      worker.once("message", (port: number) => resolve(`http://127.0.0.1:${port}`));
    });
  });
  after(() => worker.terminate());

  it("hears a server that answers", async () => {
    assert.equal(await silence(url), undefined);
  });

  it("hears it though the process is busy for longer than the limit, more than once", async () => {
    const asked = silence(url);
    // Before the connection is made, and again before anything of the answer is read.
    block(2200);
    setImmediate(() => block(2200));
    assert.equal(await asked, undefined);
  });

  it("says what is wrong with one that does not", async () => {
    const refused = await silence("http://127.0.0.1:1");
    assert.match(refused?.reason ?? "", /^http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.equal(refused?.lasting, false);
  });
});
