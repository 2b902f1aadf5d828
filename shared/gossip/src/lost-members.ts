import type { Endpoint, MemberView } from './swim/effects.ts';

/** A partition may last this long and be found by those who were members; later the seeds find it. */
const REMEMBER_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 1024;

/** Who failed and was not seen since. A machine that is gone for good is forgotten after a while. */
export class LostMembers {
  /** In the order in which they failed. */
  readonly #lost = new Map<string, { readonly at: Endpoint; readonly sinceMs: number }>();

  failed({ name, address, port }: MemberView, nowMs: number): void {
    this.#lost.delete(name);
    this.#lost.set(name, { at: { address, port }, sinceMs: nowMs });
    for (const [oldest, { sinceMs }] of this.#lost) {
      if (this.#lost.size <= MAX_REMEMBERED && nowMs - sinceMs < REMEMBER_MS) break;
      this.#lost.delete(oldest);
    }
  }

  /** It is back, or said good-bye. */
  settled({ name }: MemberView): void {
    this.#lost.delete(name);
  }

  all(nowMs: number): readonly Endpoint[] {
    return [...this.#lost.values()].filter(({ sinceMs }) => nowMs - sinceMs < REMEMBER_MS).map(({ at }) => at);
  }
}
