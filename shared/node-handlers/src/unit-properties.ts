/** The properties of a unit, as systemctl shows them. */
export type UnitProperties = ReadonlyMap<string, string>;
