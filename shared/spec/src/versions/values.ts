/** An object of the API before its schema is known. */
export type Values = Readonly<Record<string, unknown>>;

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of an object; empty for any other value. */
export const valuesOf = (value: unknown): Values => (isValues(value) ? value : {});

/** The value at a path of plain names. */
export const valueAt = (object: Values, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => valuesOf(at)[name], object);
