type Given<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The fields that have a value, so that a spec holds only what was asked for or inferred. */
export function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, less those without a value
  return Object.fromEntries(entries) as Given<T>;
}

/** kops takes an empty list and an empty word for "not given". */
export const nonEmpty = <T extends string | readonly unknown[]>(value: T | undefined): T | undefined =>
  value === undefined || value.length === 0 ? undefined : value;
