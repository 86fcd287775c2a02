import assert from "node:assert/strict";
import { kind, memcachedCrd, plural } from "../../../api";
import { until } from "../../support/until";
import { mergePatch, type Server, serverWithCrd } from "./server";

/** The same API under a group of its own, so that its rules can come later than its objects. */
const group = "ratchet.example.com";
const crdPath = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;

function crd(withRules: boolean): object {
  const of = memcachedCrd();
  const spec = { ...of.spec, group };
  const text = JSON.stringify({ ...of, metadata: { name: `${plural}.${group}` }, spec }, (key, value: unknown) =>
    key === "x-kubernetes-validations" && !withRules ? undefined : value,
  );
  return JSON.parse(text) as object;
}

describe("an object from before the rules", function () {
  this.timeout(60_000);
  let server: Server;
  const at = (name = "") => `/apis/${group}/v1/namespaces/${server.namespace}/${plural}/${name}`;
  const patch = (name: string, spec: object) => server.ask("PATCH", at(name), { spec }, mergePatch);
  const create = (name: string, spec: object, query = "") =>
    server.ask("POST", at() + query, { apiVersion: `${group}/v1`, kind, metadata: { name }, spec });

  const specs = {
    word: { extraArgs: ["-o modern"] },
    port: { extraArgs: ["-p", "1"] },
    udp: { extraArgs: ["-U", "11211"] },
    buffers: { threads: 40, extraArgs: ["-o", "read_buf_mem_limit=1"] },
    table: { extraArgs: ["-o", "hashpower=24"] },
    image: { image: "registry.example.com/Team/memcached:1" },
    tolerations: { tolerations: [{ key: "two words", value: "a" }, { tolerationSeconds: 1 }] },
    spread: {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "ScheduleAnyway", minDomains: 2, matchLabelKeys: [" "] },
      ],
    },
    requests: { resources: { requests: { cpu: 1 } }, extraArgs: ["-o", "hashpower=24"] },
  };

  before(async () => {
    server = await serverWithCrd();
    await server.client.apply(crdPath, crd(false));
    for (const [name, spec] of Object.entries(specs))
      await until(`${name} to be made`, 20_000, async () => (await create(name, spec)).code === 201);
    await server.client.apply(crdPath, crd(true));
    await until("the rules to hold", 20_000, async () => (await create("t", specs.port, "?dryRun=All")).code === 422);
  });
  after(() => server.client.request("DELETE", crdPath));

  for (const name of Object.keys(specs))
    it(`${name}: can be scaled, labelled and given other fields`, async () => {
      const answers = [
        await patch(name, { size: 2 }),
        await server.ask("PATCH", `${at(name)}/scale`, { spec: { replicas: 3 } }, mergePatch),
        await server.ask("PATCH", at(name), { metadata: { labels: { team: "a" } } }, mergePatch),
        await server.ask("PATCH", `${at(name)}/status`, { status: { replicas: 3 } }, mergePatch),
        await patch(name, { verbosity: 2, connections: 2048 }),
      ];
      for (const { code, body } of answers) assert.equal(code, 200, body.message);
    });

  it("is held to the rules once it changes what they are about", async () => {
    const changes: [keyof typeof specs, object, RegExp?][] = [
      ["image", { image: "registry.example.com/Team/memcached:2" }, /spec\.image/],
      ["tolerations", { tolerations: [{ key: "two  words", value: "a" }] }, /spec\.tolerations\[\] must have the key/],
      ["requests", { resources: { requests: { cpu: 2 } } }],
      ["port", { extraArgs: ["-p", "2"] }],
      ["buffers", { threads: 41 }],
      ["table", { memory: "65Mi" }],
    ];
    for (const [name, change, field = /spec\.extraArgs/] of changes) {
      const { code, body } = await patch(name, change);
      assert.equal(code, 422, `${name}: ${JSON.stringify(body)}`);
      assert.match(body.message ?? "", field);
    }
  });
});
