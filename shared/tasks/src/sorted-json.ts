import { isArray, isObject } from './references.ts';
import type { Json } from './task.ts';

/** JSON in which the keys of every object are sorted, so that equal values have equal bytes. */
export function sortedJson(value: Json, indent?: number): string {
  return JSON.stringify(sorted(value), undefined, indent);
}

function sorted(value: Json): Json {
  if (isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .flatMap((key) => (value[key] === undefined ? [] : [[key, sorted(value[key])]])),
  );
}
