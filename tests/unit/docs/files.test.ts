import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";

const root = join(__dirname, "../../..");
const pages = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].concat(
  ["docs", "examples"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md"))
      .map((file) => join(folder, file)),
  ),
);
const parts = ["api", "bench", "build", "cluster", "components", "deploy", "docs", "examples"].concat([
  "operator",
  "plugin",
  "scripts",
  "stack",
  "tests",
]);

/** The files that a page links to. */
function linked(page: string, text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to]) => join(dirname(page), to!));
}

/** The files and folders of the repository that a page names as code. */
function named(text: string): string[] {
  return [...text.matchAll(/`([\w-]+(?:\/[\w.-]+)+\/?)`/g)].map(([, path]) => path!).filter(isOurs);
}

function isOurs(path: string): boolean {
  return parts.includes(path.split("/")[0]!) && /\.\w+$|\/$/.test(path);
}

describe("the pages of documentation", () => {
  for (const page of pages)
    it(`${page} names files that exist`, () => {
      const text = readFileSync(join(root, page), "utf8");
      const missing = [...linked(page, text), ...named(text)].filter((path) => !existsSync(join(root, path)));
      assert.deepEqual(missing, []);
    });
});
