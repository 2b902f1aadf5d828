import { convert } from './convert.ts';
import type { Values } from './values.ts';

/**
 * An object of v1alpha2 with every value spelled as kops spells it: roles, disabled features, the group of the API.
 * Fields that v1alpha3 does not have are not changed, nor are kinds that v1alpha3 does not have.
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
