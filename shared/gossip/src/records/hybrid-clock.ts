import type { Stamp } from './record.ts';

/** A hybrid logical clock (Kulkarni et al., 2014): follows the machine's clock and never goes back. */
export class HybridClock {
  #last: Stamp = { ms: 0, count: 0 };

  next(nowMs: number): Stamp {
    const ms = Math.floor(nowMs);
    this.#last = ms > this.#last.ms ? { ms, count: 0 } : { ms: this.#last.ms, count: this.#last.count + 1 };
    return this.#last;
  }

  /** Takes note of a stamp of another peer: later stamps of this clock are greater. */
  observe({ ms, count }: Stamp): void {
    if (ms > this.#last.ms || (ms === this.#last.ms && count > this.#last.count)) this.#last = { ms, count };
  }
}
