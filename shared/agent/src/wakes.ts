import type { Wake } from './wake.ts';

/** The bells of the loops that one source of events rings. A bell removes itself when its loop has ended. */
export class Wakes {
  readonly #wakes = new Set<Wake>();

  get size(): number {
    return this.#wakes.size;
  }

  add(wake: Wake): void {
    this.#wakes.add(wake);
    wake.onEnd(() => this.#wakes.delete(wake));
  }

  ring(): void {
    for (const wake of this.#wakes) wake.ring();
  }
}
