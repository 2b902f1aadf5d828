/** So many beats can be saved up in silence. */
const MAX_SAVED = 5;
/** Of the interval: the shortest time between two beats, several times what a packet takes within one data centre. */
const SPACING = 0.1;

/**
 * When gossip goes out. memberlist's beat is steady, also where there is nothing to say. Here beats that had nothing to
 * say are saved, a few of them: news finds its way in a fraction of the time, and no more packets go out for it.
 */
export class GossipBeat {
  readonly #intervalMs: number;
  /** The time up to which all beats are used; nothing is saved that is older than MAX_SAVED beats. */
  #usedUntilMs: number;
  #lastMs = -Infinity;

  constructor(intervalMs: number, nowMs: number) {
    this.#intervalMs = intervalMs;
    this.#usedUntilMs = nowMs - MAX_SAVED * intervalMs;
  }

  /** When the next beat may be. */
  nextMs(nowMs: number): number {
    return Math.max(nowMs, this.#usedUntilMs + this.#intervalMs, this.#lastMs + this.#intervalMs * SPACING);
  }

  use(nowMs: number): void {
    this.#usedUntilMs = Math.max(this.#usedUntilMs, nowMs - MAX_SAVED * this.#intervalMs) + this.#intervalMs;
    this.#lastMs = nowMs;
  }
}
