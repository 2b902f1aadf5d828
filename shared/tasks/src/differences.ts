import { isRecord } from './record.ts';
import { isArray } from './references.ts';
import type { FieldChange, Json } from './task.ts';

/**
 * Every field in which the actual differs from the wanted value, by path (`spec.names[1]`), in a stable order: objects
 * by sorted key, lists by position.
 */
export function differences(wanted: Json, actual: Json): readonly FieldChange[] {
  return compare('', wanted, actual);
}

function compare(path: string, wanted: Json | undefined, actual: Json | undefined): readonly FieldChange[] {
  if (isRecord(wanted) && isRecord(actual)) {
    const keys = [...new Set([...Object.keys(wanted), ...Object.keys(actual)])].sort();
    return keys.flatMap((key) => compare(path === '' ? key : `${path}.${key}`, wanted[key], actual[key]));
  }
  if (isArray(wanted) && isArray(actual)) {
    const length = Math.max(wanted.length, actual.length);
    return Array.from({ length }, (_, index) => compare(`${path}[${index}]`, wanted[index], actual[index])).flat();
  }
  if (wanted === actual) return [];
  return [{ path, ...(actual === undefined ? {} : { from: actual }), ...(wanted === undefined ? {} : { to: wanted }) }];
}
