import { convert } from './convert.ts';
import type { Values } from './values.ts';

/**
 * An object of v1alpha2 with every value spelled as kops spells it: roles, what is disabled, the group of the API. What
 * v1alpha3 has no place for stays as it is, and so does an object that has no counterpart in v1alpha3 at all.
 */
export function normalForm(kind: string, object: Values): Values {
  const there = convert(kind, object, 'v1alpha2');
  if (there.faults.length > 0) return object;
  const { value } = convert(kind, there.value, 'v1alpha3');
  const copy = structuredClone(value);
  for (const { path, value: lost } of there.lost) putBack(copy, path, lost);
  return copy;
}

function putBack(object: Values, path: string, value: unknown): void {
  const steps = path.match(/[^.[\]]+/g) ?? [];
  const last = steps.pop() ?? '';
  let at: object = object;
  for (const step of steps) {
    const inner: unknown = Reflect.get(at, step);
    const next: object = typeof inner === 'object' && inner !== null ? inner : {};
    if (next !== inner) Reflect.set(at, step, next);
    at = next;
  }
  Reflect.set(at, last, value);
}
