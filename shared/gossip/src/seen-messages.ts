import { createHash } from 'node:crypto';

/** A message is gone from all queues of a large cluster within seconds; this is many times that. */
const REMEMBER_MS = 10 * 60 * 1000;
/** Some hundred kilobytes. */
const MAX_REMEMBERED = 4096;

/** Which messages have been heard already, for a while. */
export class SeenMessages {
  /** In the order in which they were heard. */
  readonly #seen = new Map<string, number>();

  /** The name of a message that is heard for the first time; undefined where it has been heard before. */
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
