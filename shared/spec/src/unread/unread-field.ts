import type { InstanceGroup } from '../instance-group.ts';
import { fault, type Fault } from '../validate/fault.ts';
import { valuesAt } from '../values-at.ts';

/** A field that nothing reads, and what a person who sets it is told. */
export interface UnreadField {
  /** `[]` stands for each item of a list. A field stands for all that is below it. */
  readonly path: string;
  readonly message: string;
  readonly hint: string;
}

/** Where an object sets the field. */
export const faultsOf = ({ path, message, hint }: UnreadField, object: object): readonly Fault[] =>
  valuesAt(object, path).map((place) => fault(place.path, message, hint));

export const ofGroup = (group: InstanceGroup, one: Fault): Fault => ({ ...one, instanceGroup: group.metadata.name });
