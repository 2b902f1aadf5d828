/**
 * Counts changes and lets readers wait for the next one. A revision contains a prefix that is new for every supervisor,
 * so a revision of an earlier supervisor never makes a reader wait.
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

  /** Resolves when the revision differs from `after`, after the timeout, or when the reader disconnects. */
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
