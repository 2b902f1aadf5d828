/** The number of unused beats that can be saved. */
const MAX_SAVED = 5;
/**
 * The shortest time between two beats, as a share of the interval. It is several times what a packet takes within one
 * data centre.
 */
const SPACING = 0.1;

/**
 * Decides when gossip goes out. memberlist gossips at a fixed interval, even with nothing to send. Here a few unused
 * beats are saved, so news spreads in a fraction of the time with the same number of packets.
 */
export class GossipBeat {
  readonly #intervalMs: number;
  /** The time up to which all beats are used. Beats older than MAX_SAVED intervals are lost. */
  #usedUntilMs: number;
  #lastMs = -Infinity;

  constructor(intervalMs: number, nowMs: number) {
    this.#intervalMs = intervalMs;
    this.#usedUntilMs = nowMs - MAX_SAVED * intervalMs;
  }

  /** The earliest time of the next beat. */
  nextMs(nowMs: number): number {
    return Math.max(nowMs, this.#usedUntilMs + this.#intervalMs, this.#lastMs + this.#intervalMs * SPACING);
  }

  use(nowMs: number): void {
    this.#usedUntilMs = Math.max(this.#usedUntilMs, nowMs - MAX_SAVED * this.#intervalMs) + this.#intervalMs;
    this.#lastMs = nowMs;
  }
}
