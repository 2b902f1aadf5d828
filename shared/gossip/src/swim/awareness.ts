/**
 * Lifeguard's local health score (arXiv 1707.00788), 0 when healthy. A peer that misses many answers is probably slow
 * itself, so a higher score makes it probe more slowly.
 */
export class Awareness {
  readonly #max: number;
  #score = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get score(): number {
    return this.#score;
  }

  add(delta: number): void {
    this.#score = Math.min(this.#max - 1, Math.max(0, this.#score + delta));
  }

  scaled(ms: number): number {
    return ms * (this.#score + 1);
  }
}
