// node index.js up|down NAME NAMESPACE SIZE
import { provision, retire } from "./tenants";

const [action, name = "", namespace = "default", size = "1"] = process.argv.slice(2);
const tenant = { name, namespace, size: Number(size) };

async function run(): Promise<void> {
  if (action === "down") return retire(tenant);
  console.log((await provision(tenant)).join(","));
}

run().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
