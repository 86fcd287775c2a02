/** An entry of metadata.managedFields. */
export interface ManagedFieldsEntry {
  manager?: string;
  operation?: string;
  apiVersion?: string;
  time?: string;
  subresource?: string;
  fieldsType?: string;
  fieldsV1?: FieldSet;
}

/** FieldsV1: nested sets of field paths. */
interface FieldSet {
  [path: string]: FieldSet;
}

/**
 * The entries with everything that `manager` owns by create and update turned into what it owns by server-side apply, so that its next
 * apply may also drop fields; undefined when there is nothing to turn. After client-go's csaupgrade.UpgradeManagedFields.
 */
export function ownedByApply(entries: ManagedFieldsEntry[], manager: string): ManagedFieldsEntry[] | undefined {
  const isOf = (operation: string) => (entry: ManagedFieldsEntry) =>
    entry.manager === manager && entry.operation === operation && !entry.subresource;
  const updates = entries.filter(isOf("Update"));
  const newest = updates.at(-1);
  if (!newest) return undefined;
  const applies = entries.filter(isOf("Apply"));
  const fieldsV1 = [...applies, ...updates].reduce<FieldSet>((all, each) => union(all, each.fieldsV1 ?? {}), {});
  const rest = entries.filter((entry) => !updates.includes(entry) && !applies.includes(entry));
  return [...rest, { ...newest, operation: "Apply", fieldsV1 }];
}

function union(a: FieldSet, b: FieldSet): FieldSet {
  const all: FieldSet = { ...a };
  for (const [path, inner] of Object.entries(b)) all[path] = union(all[path] ?? {}, inner);
  return all;
}
