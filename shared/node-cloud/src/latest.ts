import type { Observed } from '@kopsctl/node-cloud/node-cloud.ts';
import { jittered, type Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** The latest list that the cloud has returned, and the loops to wake when there is a newer one. */
export class Latest<T> {
  #observed: Observed<T> | undefined;
  readonly #wakes = new Wakes();

  /** Undefined until the cloud has answered once. */
  get items(): readonly T[] | undefined {
    return this.#observed?.items;
  }

  get revision(): string | undefined {
    return this.#observed?.revision;
  }

  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  /** How many loops are woken. */
  get followers(): number {
    return this.#wakes.size;
  }

  set(observed: Observed<T>): void {
    this.#observed = observed;
    this.#wakes.ring();
  }
}

/** A cloud that answers at once although nothing has changed is not asked more often than this. */
const SHORTEST_PERIOD_MS = 250;

/** Follows the cloud's long poll until the signal aborts. The only writer of `latest`. */
export async function follow<T>(
  latest: Latest<T>,
  poll: (after: string | undefined, signal: AbortSignal) => Promise<Observed<T>>,
  signal: AbortSignal,
): Promise<void> {
  let after: string | undefined;
  while (!signal.aborted) {
    const askedMs = performance.now();
    const observed = await poll(after, signal);
    if (observed.revision !== after || latest.items === undefined) latest.set(observed);
    after = observed.revision;
    const leftMs = SHORTEST_PERIOD_MS - (performance.now() - askedMs);
    if (leftMs > 0) await sleep(jittered(leftMs), undefined, { signal });
  }
}
