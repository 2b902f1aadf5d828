import type { Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';

/**
 * Announces that something has changed in the store, because a store cannot notify. It wakes the loops of this process
 * and, through `ringOnTell`, the managers of the other machines. A ring is only a hint: a machine that misses it finds the
 * change at its next look.
 */
export class Bell {
  readonly #wakes = new Wakes();
  readonly #tellers = new Wakes();

  /** Rings `wake` whenever something has changed. */
  ringOnNews(wake: Wake): void {
    this.#wakes.add(wake);
  }

  /** Rings `wake` whenever this machine has changed something. */
  ringOnTell(wake: Wake): void {
    this.#tellers.add(wake);
  }

  /** This machine has changed something that others wait for. */
  tell(): void {
    this.hear();
    this.#tellers.ring();
  }

  /** Another machine has changed something. */
  hear(): void {
    this.#wakes.ring();
  }
}
