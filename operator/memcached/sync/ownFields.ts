import type { ApiError } from "../../runtime";
import { originOf } from "../fields";

/**
 * Translates the API server's errors about a child to the Memcached's own fields, because users do not know its
 * `spec.template.spec`. Returns the original message if a field has no counterpart.
 */
export function inOwnFields({ message, details }: ApiError): string {
  const causes = details?.causes ?? [];
  const translated = causes.map(({ field = "", message: why = "" }) => {
    const own = originOf(field);
    return own && `${own}: ${why}`;
  });
  return translated.length > 0 && translated.every((each) => each !== undefined)
    ? Array.from(new Set(translated)).join("; ")
    : message;
}
