/** A value that completion sets in every cluster that needs it. A spec without it was not completed. */
export function completedValue<Value>(path: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`the completed spec has no ${path}`);
  return value;
}
