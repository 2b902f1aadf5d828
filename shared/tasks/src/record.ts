/**
 * Whether a value is an object of named fields: not null, not a list, not a single value. Says nothing about the fields,
 * which are `unknown` unless the type of the value knew them.
 */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fields of a value; none where it has no named fields. For JSON and YAML of others, of which any part may be missing. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
