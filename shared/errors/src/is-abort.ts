/** Whether something ended because a signal told it to: what then is thrown is an AbortError, or was caused by one. */
export function isAbort(thrown: unknown): boolean {
  for (let one = thrown; one instanceof Error; one = one.cause) if (one.name === 'AbortError') return true;
  return false;
}
