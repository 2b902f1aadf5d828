import type { Leaf } from './leaves.ts';

/** What an object holds at a path in which `[]` stands for each item of a list. Each value has its own path. */
export const valuesAt = (object: object, path: string): readonly Leaf[] => valuesBelow(path.split('.'), object, '');

function valuesBelow([part = '', ...rest]: readonly string[], at: unknown, before: string): readonly Leaf[] {
  const name = part.replace('[]', '');
  const value: unknown = Reflect.get(Object(at), name);
  if (value === undefined) return [];
  const path = before === '' ? name : `${before}.${name}`;
  if (!part.endsWith('[]')) return rest.length === 0 ? [{ path, value }] : valuesBelow(rest, value, path);
  return Array.isArray(value) ? value.flatMap((item, index) => valuesBelow(rest, item, `${path}[${index}]`)) : [];
}
