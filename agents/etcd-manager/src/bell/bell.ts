import type { Wake } from '@kopsctl/agent/wake.ts';

/**
 * Announces that something has changed in the store, because a store cannot notify. It wakes the loops of this process
 * and, through `onTell`, the managers of the other machines. A ring is only a hint: a machine that misses it finds the
 * change at its next look.
 */
export class Bell {
  readonly #wakes = new Set<Wake>();
  readonly #listeners = new Set<() => void>();

  /** Rings `wake` whenever something has changed. */
  ringOnNews(wake: Wake): void {
    this.#wakes.add(wake);
  }

  /** Calls `listener` whenever this machine has changed something. */
  onTell(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** This machine has changed something that others wait for. */
  tell(): void {
    this.hear();
    for (const listener of this.#listeners) listener();
  }

  /** Another machine has changed something. */
  hear(): void {
    for (const wake of this.#wakes) wake.ring();
  }
}
