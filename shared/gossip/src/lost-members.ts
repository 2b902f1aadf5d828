import type { MemberView } from './swim/effects.ts';
import type { Endpoint } from './swim/endpoint.ts';

/** After this time the seeds have to find the other side of a partition. */
const REMEMBER_MS = 60 * 60 * 1000;
const MAX_REMEMBERED = 1024;

/** The members that failed and have not come back. A member is forgotten after an hour. */
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

  /** The member has come back, or has left. */
  settled({ name }: MemberView): void {
    this.#lost.delete(name);
  }

  all(nowMs: number): readonly Endpoint[] {
    return [...this.#lost.values()].filter(({ sinceMs }) => nowMs - sinceMs < REMEMBER_MS).map(({ at }) => at);
  }
}
