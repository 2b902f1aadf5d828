import type { InstanceGroup } from '../instance-group.ts';
import { fault, type Fault } from '../validate/fault.ts';

/** A field that nothing reads, and what a person who sets it is told. */
export interface UnreadField {
  /** `[]` stands for each item of a list. A field stands for all that is below it. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** Where an object sets the field. */
export const faultsOf = ({ path, message, hint }: UnreadField, object: object): readonly Fault[] =>
  placesOf(path.split('.'), object, '').map((place) => fault(place, message, hint));

export const ofGroup = (group: InstanceGroup, one: Fault): Fault => ({ ...one, instanceGroup: group.metadata.name });

/** The paths of what is set at a place, with the number of each item on the way. */
function placesOf([part = '', ...rest]: readonly string[], at: unknown, before: string): readonly string[] {
  const name = part.replace('[]', '');
  const value: unknown = Reflect.get(Object(at), name);
  if (value === undefined) return [];
  const path = before === '' ? name : `${before}.${name}`;
  if (!part.endsWith('[]')) return rest.length === 0 ? [path] : placesOf(rest, value, path);
  return Array.isArray(value) ? value.flatMap((item, index) => placesOf(rest, item, `${path}[${index}]`)) : [];
}
