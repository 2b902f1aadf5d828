/** A value that completion gives every cluster for which it is asked. A spec without it was never completed. */
export function completedValue<Value>(path: string, value: Value | undefined): Value {
  if (value === undefined) throw new Error(`the completed spec has no ${path}`);
  return value;
}
