import { isRecord } from './record.ts';

/** JSON of plain data in which the keys of every object are sorted, so that equal values have equal bytes. */
export function sortedJson(value: object, indent?: number): string {
  return JSON.stringify(value, sortKeys, indent);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
