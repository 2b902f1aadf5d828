/** Runs one piece of work at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  async run<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#last;
    const mine = before.then(work, work);
    // The next one waits for the end, success or failure; the caller gets the failure.
    this.#last = mine.catch(() => undefined);
    return mine;
  }
}
