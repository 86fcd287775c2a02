import { readdirSync, existsSync } from "node:fs";
import { join } from "node:path";
import { crdName, group, memcachedCrd, plural } from "../../api";
import { apiPage } from "./apiPage";
import { componentArgs } from "./componentArgs";
import { conditionsPage } from "./conditionsPage";
import { installYaml } from "./install";
import { referencePage } from "./referencePage";
import { packageSchema } from "./schema";
import { sampleFiles } from "./samples";
import { yamlOf } from "./yaml";

/** A file that is not what it should be; without a text it should not be there. */
export interface Change {
  path: string;
  text?: string;
}

/** Folders that hold generated files only. */
const folders = ["deploy", "deploy/crds", "deploy/samples", "components/generated"];

/** Every file that is made from the API: its path from the repository's root, and its text. */
export async function generatedFiles(): Promise<Map<string, string>> {
  return new Map([
    [`deploy/crds/${group}_${plural}.yaml`, yamlOf(`The CustomResourceDefinition ${crdName}.`, memcachedCrd())],
    ...sampleFiles(),
    ["deploy/install.yaml", installYaml()],
    ["docs/reference.md", referencePage()],
    ["docs/conditions.md", conditionsPage()],
    ["components/generated/memcachedArgs.ts", await componentArgs()],
  ]);
}

/** Every file that is made from the components' sources, of which some are generated themselves. */
export function sourceFiles(): Map<string, string> {
  return new Map([
    ["docs/api.md", apiPage()],
    ["schema.json", packageSchema()],
  ]);
}

/** Those of the files that are not as they should be. */
export const outdated = (files: Map<string, string>, read: (path: string) => string | undefined): Change[] =>
  [...files].filter(([path, text]) => read(path) !== text).map(([path, text]) => ({ path, text }));

/** What has to be written or removed so that every generated file is fresh. */
export async function changes(root: string, read: (path: string) => string | undefined): Promise<Change[]> {
  const files = await generatedFiles();
  const present = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `${folder}/${entry.name}`),
    );
  return [...outdated(files, read), ...present.filter((path) => !files.has(path)).map((path) => ({ path }))];
}
