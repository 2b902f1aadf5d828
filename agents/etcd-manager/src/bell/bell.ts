import type { Wake } from '@kopsctl/agent/wake.ts';

/**
 * Says that there is news in the store, which cannot say so itself: to the loops of this process, and through `onTell`
 * to the managers of the other machines. A hint: who misses it finds the news at its next look.
 */
export class Bell {
  readonly #wakes = new Set<Wake>();
  readonly #listeners = new Set<() => void>();

  ringOnNews(wake: Wake): void {
    this.#wakes.add(wake);
  }

  onTell(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** This machine has written something that others wait for. */
  tell(): void {
    this.hear();
    for (const listener of this.#listeners) listener();
  }

  /** Another machine has. */
  hear(): void {
    for (const wake of this.#wakes) wake.ring();
  }
}
