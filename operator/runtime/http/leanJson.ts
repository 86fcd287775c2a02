const opening = '"managedFields":[';

/**
 * Parses an object without its metadata.managedFields, which are the larger part of its text and are read by no one here: they are cut out
 * before the text is parsed. Throws a SyntaxError for what is no JSON.
 */
export function parseLean(text: string): unknown {
  const cut = withoutManagedFields(text);
  if (cut === text) return JSON.parse(text);
  try {
    return JSON.parse(cut);
  } catch {
    // The end was not where it seemed to be.
    return JSON.parse(text);
  }
}

/** In JSON text a quote inside a string is escaped, so the opening is a key; the entries are objects, so they end with "}]". */
function withoutManagedFields(text: string): string {
  const start = text.indexOf(opening);
  if (start < 0) return text;
  const end = text.indexOf("}]", start);
  return end < 0 ? text : `${text.slice(0, start + opening.length)}${text.slice(end + 1)}`;
}
