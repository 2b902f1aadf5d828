import { isRecord } from '@kopsctl/tasks/record.ts';

/** A value in an object, with its path: `spec.subnets[0].cidr`, `spec.cloudLabels["a.b/c"]`. */
export interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** Returns the single values. A list of single values counts as one value. */
export function leavesOf(value: unknown, path: string): readonly Leaf[] {
  if (isListOfObjects(value)) {
    return value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [{ path, value }];
  const fields = Object.entries(value);
  if (fields.length === 0) return [{ path, value }];
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, child]) => leavesOf(child, fieldPath(path, name)));
}

/** The paths of the single values that have become what they are. What both objects share is not looked at. */
export function changedPaths(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === after) return [];
  if (isListOfObjects(after)) {
    const old: readonly unknown[] = Array.isArray(before) ? before : [];
    return after.flatMap((item, index) => changedPaths(old[index], item, `${path}[${index}]`));
  }
  const fields = isRecord(after) ? Object.entries(after) : [];
  if (fields.length === 0) return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const old = isRecord(before) ? before : {};
  return fields.flatMap(([name, child]) =>
    child === old[name] ? [] : changedPaths(old[name], child, fieldPath(path, name)),
  );
}

const isListOfObjects = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null);

/** The path of a field: a name that is more than one word, such as that of a label, stands in brackets. */
export const fieldPath = (path: string, name: string): string =>
  /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
