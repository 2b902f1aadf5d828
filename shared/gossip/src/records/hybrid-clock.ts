import type { Stamp } from './record.ts';

/** The largest counter that fits the wire. */
const MAX_COUNT = 2 ** 32 - 1;

/** A hybrid logical clock (Kulkarni et al., 2014): follows the machine's clock and never goes back. */
export class HybridClock {
  #last: Stamp = { ms: 0, count: 0 };

  next(nowMs: number): Stamp {
    const ms = Math.floor(nowMs);
    const { ms: lastMs, count } = this.#last;
    if (ms > lastMs) this.#last = { ms, count: 0 };
    // Others choose the stamps that this clock observes: there must be a stamp later than any of them.
    else this.#last = count < MAX_COUNT ? { ms: lastMs, count: count + 1 } : { ms: lastMs + 1, count: 0 };
    return this.#last;
  }

  /** Takes note of a stamp of another peer: later stamps of this clock are greater. */
  observe({ ms, count }: Stamp): void {
    if (ms > this.#last.ms || (ms === this.#last.ms && count > this.#last.count)) this.#last = { ms, count };
  }
}
