import { isRecord } from './record.ts';

/**
 * Whether two values of plain data are the same as JSON: the order of keys does not matter, and a key whose value is
 * undefined counts as absent.
 */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  const names = Object.keys(one).filter((name) => one[name] !== undefined);
  return (
    names.length === Object.keys(other).filter((name) => other[name] !== undefined).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}
