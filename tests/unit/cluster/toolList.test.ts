import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../cluster/paths";
import { PROVIDER, tools, type Tool } from "../../../cluster/toolList";

const accepts = (name: keyof typeof tools, output: string) => (tools[name] as Tool).onPath?.accepts(output);

describe("the tools", () => {
  const fits: [keyof typeof tools, string, boolean][] = [
    ["kubelet", "Kubernetes v1.34.9", true],
    ["kubelet", "Kubernetes v1.33.1", false],
    ["kubelet", "", false],
    ["kubectl", "Client Version: v1.35.0\nKustomize Version: v5.6.0", true],
    ["kubectl", "Client Version: v1.29.3", false],
    ["etcd", "etcd Version: 3.6.1\nGit SHA: abc", true],
    ["etcd", "etcd Version: 3.4.23", false],
    ["pulumi", "v3.229.0", true],
    ["pulumi", "v3.90.1", false],
    ["pulumi", "", false],
  ];
  for (const [name, output, fitting] of fits)
    it(`${fitting ? "take" : "do not take"} a ${name} from PATH that says ${JSON.stringify(output)}`, () => {
      assert.equal(accepts(name, output), fitting);
    });

  it("each have a module with go.mod and go.sum", () => {
    for (const [name, { module }] of Object.entries(tools) as [string, Tool][])
      for (const file of ["go.mod", "go.sum"])
        assert.ok(existsSync(join(repositoryRoot, "cluster", "tools", module.folder, file)), `${file} for ${name}`);
  });

  it("have the Kubernetes provider in the release that the lockfile has of @pulumi/kubernetes", () => {
    const lock = JSON.parse(readFileSync(join(repositoryRoot, "package-lock.json"), "utf8")) as {
      packages: Record<string, { version?: string }>;
    };
    assert.equal(lock.packages["node_modules/@pulumi/kubernetes"]?.version, PROVIDER);
  });

  it("name no address of a registry or mirror in the lockfile", () => {
    const lock = readFileSync(join(repositoryRoot, "package-lock.json"), "utf8");
    assert.doesNotMatch(lock, /"resolved": "https?:/);
  });
});
