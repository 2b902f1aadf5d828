import { isRecord } from '@kopsctl/tasks/record.ts';

/** What a template works on: JSON, and what functions return. */
export type Value = string | number | boolean | null | undefined | readonly Value[] | { readonly [key: string]: Value };

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Whether a condition holds: what is empty is false (text/template, IsTrue). */
export function isTrue(value: Value): boolean {
  if (isList(value)) return value.length > 0;
  if (isRecord(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

/** A value as Go prints it: a map in the order of its keys. */
export function shown(value: Value): string {
  if (value === undefined || value === null) return '<no value>';
  if (isList(value)) return `[${value.map(shown).join(' ')}]`;
  if (!isRecord(value)) return String(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, item]) => `${key}:${shown(item)}`).join(' ')}]`;
}
