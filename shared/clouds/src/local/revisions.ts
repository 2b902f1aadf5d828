/**
 * Counts changes and lets readers wait for the next one. A revision holds a part that is new with
 * every supervisor, so that one from a former life never makes a reader wait.
 */
export class Revisions {
  readonly #life: string;
  #count = 0;
  #waiting = new Set<() => void>();

  constructor(life: string) {
    this.#life = life;
  }

  get current(): string {
    return `${this.#life}-${this.#count}`;
  }

  changed(): void {
    this.#count += 1;
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  /** Resolves when the revision is no longer `after`, when the time is over, or when the reader has gone. */
  async newerThan(after: string | undefined, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (after !== this.current || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#waiting.add(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }
}
