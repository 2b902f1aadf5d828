import type { Stamp } from './record.ts';

/** A hybrid logical clock (Kulkarni et al., 2014): as near to the machine's clock as it can be, and never behind itself. */
export class HybridClock {
  #last: Stamp = { ms: 0, count: 0 };

  next(nowMs: number): Stamp {
    const ms = Math.floor(nowMs);
    this.#last = ms > this.#last.ms ? { ms, count: 0 } : { ms: this.#last.ms, count: this.#last.count + 1 };
    return this.#last;
  }

  /** Something was written at this time, so whatever comes next is later. */
  observe({ ms, count }: Stamp): void {
    if (ms > this.#last.ms || (ms === this.#last.ms && count > this.#last.count)) this.#last = { ms, count };
  }
}
