/** Measures how long something has been as it is, by the monotonic clock of this machine. Any change starts the time again. */
export class UnchangedTime {
  #seen: { readonly what: string; readonly sinceMs: number } | undefined;

  /** @param what names its state */
  measure(what: string, nowMs: number): number {
    if (this.#seen?.what !== what) this.#seen = { what, sinceMs: nowMs };
    return nowMs - this.#seen.sinceMs;
  }
}
