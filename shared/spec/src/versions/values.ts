import { asRecord } from '@kopsctl/tasks/record.ts';

/** An object of the API before its schema is known. */
export type Values = Readonly<Record<string, unknown>>;

/** The value at a path of plain names. */
export const valueAt = (object: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => asRecord(at)[name], object);
