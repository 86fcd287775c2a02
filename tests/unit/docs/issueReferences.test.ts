import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const tests = join(__dirname, "../..");
const complete = /[\w.-]+\/[\w.-]+#\d{2,}(, #\d{2,})*/g;

describe("references to public issues in tests", () => {
  it("name the owner and the repository", () => {
    const files = readdirSync(tests, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
    const short = files.flatMap((file) =>
      readFileSync(join(tests, file), "utf8")
        .split("\n")
        .filter((line) => /#\d{2,}/.test(line.replaceAll(complete, "")))
        .map((line) => `${file}: ${line.trim()}`),
    );
    assert.deepEqual(short, []);
  });
});
