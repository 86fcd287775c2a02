import { userLimits } from "../../../api";
import type { Problem } from "../status/observedState";

/**
 * What is wrong with a file of users. memcached refuses a line without a colon, an empty one included, and leaves out, without a word, what is
 * more than 8 lines or 255 bytes. Tried on memcached 1.6.45; source followed: authfile.c.
 */
export function checkUsers(text: string): Problem | undefined {
  const wrong = (message: string) => ({ reason: "InvalidUsers", message });
  const lines = text.replace(/\n$/, "").split("\n");
  const unread = lines.findIndex((line) => !line.includes(":"));
  if (unread >= 0) return wrong(`line ${unread + 1} of users is not of the form user:password: correct or remove it`);
  if (lines.length > userLimits.users)
    return wrong(
      `users has ${lines.length} lines, of which memcached reads the first ${userLimits.users}: remove some`,
    );
  const long = lines.findIndex((line) => Buffer.byteLength(line) > userLimits.lineBytes);
  if (long >= 0)
    return wrong(`line ${long + 1} of users has more than ${userLimits.lineBytes} bytes: take a shorter password`);
  return undefined;
}
