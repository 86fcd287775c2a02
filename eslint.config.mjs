import importX from "eslint-plugin-import-x";
import tseslint from "typescript-eslint";

/** Imports point one way; each zone names what a folder may not reach. */
const zones = [
  ["api", ["components", "plugin", "operator", "cluster", "scripts", "tests", "bench", "index.ts"]],
  ["components", ["plugin", "operator", "cluster", "scripts", "tests", "bench", "index.ts"]],
  ["plugin", ["operator", "cluster", "scripts", "tests", "bench", "index.ts"]],
  [
    "operator/runtime",
    ["api", "components", "cluster", "scripts", "operator/memcached", "operator/webhooks", "operator/main.ts"],
  ],
  ["operator/memcached", ["components", "cluster", "scripts", "operator/main.ts"]],
  ["cluster", ["api", "components", "operator", "scripts", "tests"]],
  ["operator", ["components", "cluster", "scripts", "tests", "index.ts"]],
].flatMap(([target, from]) => from.map((f) => ({ target: `./${target}`, from: `./${f}` })));

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
