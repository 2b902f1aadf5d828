import { setFields, unsetFields } from '@kopsctl/model/set-fields/set-fields.ts';
import type { StateStore } from '@kopsctl/state-store/store.ts';
import { isSameJson } from '@kopsctl/tasks/same-json.ts';
import { InvalidSpecError } from './invalid-spec-error.ts';
import { titleOf, type OwnKind } from '../store/object-paths.ts';
import { faultsOfChange, readStoredObject, type WrittenObject, writeStoredObject } from '../store/stored-object.ts';

interface Target {
  readonly cluster: string;
  readonly kind: OwnKind;
  readonly name: string;
}

/** Whether an object already has the values that would be set. */
export async function hasObjectFields(store: StateStore, target: Target, set: readonly string[]): Promise<boolean> {
  const { value } = await readStoredObject(store, target.cluster, target.kind, target.name);
  return isSameJson(setFields(value, set), value);
}

/**
 * Sets and unsets fields of a stored object, in kops's syntax. The result is checked before it is written.
 *
 * @param change.dryRun the same without writing it
 */
export async function setObjectFields(
  store: StateStore,
  target: Target,
  change: { readonly set: readonly string[]; readonly unset: readonly string[]; readonly dryRun?: boolean },
): Promise<WrittenObject> {
  const stored = await readStoredObject(store, target.cluster, target.kind, target.name);
  const changed = setFields(unsetFields(stored.value, change.unset), change.set);
  const faults = await faultsOfChange(store, stored, changed);
  if (faults.length > 0)
    throw new InvalidSpecError(`change ${titleOf(target.kind, target.name)}`, faults, [target.kind]);
  return writeStoredObject(store, stored, changed, change.dryRun);
}
