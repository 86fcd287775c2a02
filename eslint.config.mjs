import { readFileSync } from "node:fs";
import importX from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/**
 * Imports point one way: scripts/imports.json says what each part may import beside itself. The table of CONTRIBUTING.md says the same,
 * and a test holds the two against each other.
 */
const mayImport = JSON.parse(readFileSync(new URL("scripts/imports.json", import.meta.url), "utf8"));
const parts = [...Object.keys(mayImport), "operator", "tests"];

const zones = Object.entries(mayImport).flatMap(([target, allowed]) =>
  parts
    .filter((from) => ![target, ...allowed].some((part) => isWithin(from, part) || isWithin(target, from)))
    .map((from) => ({ target: `./${target}`, from: `./${from}` })),
);

/** Whether a part is the other, or lies in it. */
function isWithin(part, other) {
  return part === other || part.startsWith(`${other}/`);
}

export default tseslint.config({ ignores: ["dist/**", "node_modules/**"] }, ...tseslint.configs.recommended, {
  files: ["**/*.ts"],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  plugins: { "import-x": importX },
  settings: {
    "import-x/extensions": [".ts"],
    "import-x/parsers": { "@typescript-eslint/parser": [".ts"] },
    "import-x/resolver-next": [importX.createNodeResolver({ extensions: [".ts", ".js"] })],
  },
  rules: {
    "import-x/no-restricted-paths": ["error", { basePath: import.meta.dirname, zones }],
    "import-x/no-cycle": "error",
    "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    "@typescript-eslint/no-floating-promises": "error",
    "@typescript-eslint/no-misused-promises": "error",
    "@typescript-eslint/consistent-type-imports": "error",
    "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    eqeqeq: "error",
  },
});
