import { isRecord } from '@kopsctl/tasks/record.ts';

/** A value in an object, with its path: `spec.subnets[0].cidr`, `spec.cloudLabels["a.b/c"]`. */
export interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** Returns the single values. A list of single values counts as one value. */
export function leavesOf(value: unknown, path: string): readonly Leaf[] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    return value.flatMap((item: unknown, index) => leavesOf(item, `${path}[${index}]`));
  }
  if (!isRecord(value)) return [{ path, value }];
  const fields = Object.entries(value);
  if (fields.length === 0) return [{ path, value }];
  return fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, child]) => leavesOf(child, fieldPath(path, name)));
}

/** The path of a field: a name that is more than one word, such as that of a label, stands in brackets. */
export const fieldPath = (path: string, name: string): string =>
  /^[\w-]+$/.test(name) ? `${path}.${name}` : `${path}[${JSON.stringify(name)}]`;
