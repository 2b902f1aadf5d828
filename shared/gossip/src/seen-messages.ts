import { createHash } from 'node:crypto';

/** A message leaves all broadcast queues of a large cluster within seconds; this is many times longer. */
const REMEMBER_MS = 10 * 60 * 1000;
/** Bounds the memory to some hundred kilobytes. */
const MAX_REMEMBERED = 4096;

/** The messages received in the last minutes. */
export class SeenMessages {
  /** In the order of arrival. */
  readonly #seen = new Map<string, number>();

  /** Returns the name of a message that has not been seen before; undefined for one that has. */
  nameIfNew(payload: Uint8Array, nowMs: number): string | undefined {
    const name = createHash('sha256').update(payload).digest('base64');
    if (this.#seen.has(name)) return undefined;
    this.#seen.set(name, nowMs);
    for (const [oldest, heardMs] of this.#seen) {
      if (this.#seen.size <= MAX_REMEMBERED && nowMs - heardMs < REMEMBER_MS) break;
      this.#seen.delete(oldest);
    }
    return name;
  }
}
