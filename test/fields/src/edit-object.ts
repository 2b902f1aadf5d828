import { isRecord } from '@kopsctl/tasks/record.ts';

/** A place in an object: `spec.hooks[0].name` is spec, hooks, 0, name. */
export type Place = readonly (string | number)[];

/** The place of a path whose lists have one item: `spec.hooks[].name`. */
export const placeOf = (path: string): Place =>
  path.split('.').flatMap((part) => (part.endsWith('[]') ? [part.slice(0, -2), 0] : [part]));

/** `spec.hooks[0].name`, as a fault names it. */
export const spelled = (place: Place): string =>
  place.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('');

export const valueAt = (object: object, place: Place): unknown =>
  place.reduce<unknown>((at, part) => (at === undefined ? undefined : Reflect.get(Object(at), part)), object);

/** A copy with a value at a place; what is missing on the way is made. */
export function withValue(object: object, [part, ...rest]: Place, value: unknown): object {
  if (part === undefined) return Object(value);
  const inner: unknown = Reflect.get(object, part);
  const around = typeof inner === 'object' && inner !== null ? inner : typeof rest[0] === 'number' ? [] : {};
  const copy: object = Array.isArray(object) ? [...object] : { ...object };
  Reflect.set(copy, part, rest.length === 0 ? value : withValue(around, rest, value));
  return copy;
}

/** A copy without the field at a place. */
export function withoutValue(object: object, place: Place): object {
  const owner = valueAt(object, place.slice(0, -1));
  if (!isRecord(owner)) return object;
  const { [String(place.at(-1))]: _, ...others } = owner;
  return withValue(object, place.slice(0, -1), others);
}

/** A copy in which every object around a place is there, empty where it was not. */
export function withParents(object: object, place: Place): object {
  return place
    .slice(0, -1)
    .map((_, index) => place.slice(0, index + 1))
    .filter((around, index) => typeof place[index + 1] === 'string' && valueAt(object, around) === undefined)
    .reduce((copy, around) => withValue(copy, around, valueAt(copy, around) ?? {}), object);
}
