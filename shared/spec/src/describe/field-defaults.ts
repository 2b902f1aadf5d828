/** The default of each field that has the same one wherever it has one, by path. */
export type FieldDefaults = ReadonlyMap<string, unknown>;
