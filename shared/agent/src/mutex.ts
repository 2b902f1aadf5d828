/** Lets one through at a time, in the order of arrival. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before.then(work, work);
    // Whoever comes next waits for the end, however it ended; who called hears of the failure.
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
