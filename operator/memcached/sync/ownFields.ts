import type { ApiError } from "../../runtime";
import { originOf } from "../fields";

/**
 * What the API server says of a child that it calls invalid, told of the Memcached's own fields: their users know nothing of
 * `spec.template.spec`. Its sentence as it is where a field has no counterpart.
 */
export function inOwnFields({ message, details }: ApiError): string {
  const causes = details?.causes ?? [];
  const told = causes.map(({ field = "", message: why = "" }) => {
    const own = originOf(field);
    return own && `${own}: ${why}`;
  });
  return told.length > 0 && told.every((each) => each !== undefined) ? Array.from(new Set(told)).join("; ") : message;
}
