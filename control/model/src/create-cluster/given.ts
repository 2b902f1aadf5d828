type Given<T> = { readonly [Name in keyof T]?: Exclude<T[Name], undefined> };

/** Omits undefined fields, so that a spec contains only what was asked for or inferred. */
export function given<T extends object>(fields: T): Given<T> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, less those without a value
  return Object.fromEntries(entries) as Given<T>;
}

/** As in kops, an empty list and an empty word count as not given. */
export const nonEmpty = <T extends string | readonly unknown[]>(value: T | undefined): T | undefined =>
  value === undefined || value.length === 0 ? undefined : value;
