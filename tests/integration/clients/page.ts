/** The programs of docs/clients.md, taken out of the page. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { repositoryRoot } from "../../../cluster/paths";

/** The program in the section with this heading; its first line is a comment with its file name. */
export function programOf(heading: string): { file: string; text: string } {
  const page = readFileSync(join(repositoryRoot, "docs/clients.md"), "utf8");
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`));
  const text = /^```\w+\n(.*?)^```$/ms.exec(section ?? "")?.[1];
  const file = /^(?:#|\/\/) (\S+)$/m.exec(text ?? "")?.[1];
  if (!text || !file) throw new Error(`docs/clients.md has no program under the heading ${heading}`);
  return { file, text };
}
