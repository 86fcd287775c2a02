/** As driver.py, for a program of the page that is cache.mjs beside this file. */
import { createInterface } from "node:readline";
import { newCache } from "./cache.mjs";

let kept;

async function ask(question) {
  let cache = kept;
  if (question === "new" || !kept) cache = await newCache();
  kept ??= cache;
  await cache.set("page", "told");
  const found = await cache.get("page");
  const value = String(found?.value ?? found);
  return value === "told" ? "ok" : `the value is ${value}`;
}

for await (const question of createInterface({ input: process.stdin }))
  console.log(await ask(question).catch((error) => String(error).replace(/\s+/g, " ")));
process.exit();
