import { KINDS, type Kind } from './kinds.ts';
import type { Field } from './schema/field.ts';
import { v1alpha3Schema } from './versions/v1alpha3-schema.ts';

let names: ReadonlySet<string> | undefined;

/** Whether any object of the kops API, in either version, has a field of this name, in whatever place. */
export function isNameOfTheApi(name: string): boolean {
  names ??= collected();
  return names.has(name);
}

function collected(): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (field: Field): void => {
    if (typeof field === 'string' || field.type === 'enum') return;
    if (field.type !== 'object') return walk(field.item);
    for (const [name, child] of Object.entries(field.fields)) {
      found.add(name);
      walk(child);
    }
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of a constant table are its kinds
  for (const kind of Object.keys(KINDS) as Kind[]) {
    walk(KINDS[kind]);
    walk(v1alpha3Schema(kind));
  }
  return found;
}
