import type { Member } from './member.ts';

/** Returns random numbers in [0, 1). */
export type Random = () => number;

/** Members in random order. A member that has gone stays in the ring; the caller skips it. */
export class Ring {
  readonly #random: Random;
  #members: Member[] = [];
  #at = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns the next member; undefined after the last. */
  next(): Member | undefined {
    return this.#members[this.#at++];
  }

  restart(members: readonly Member[]): void {
    this.#members = [...members];
    this.#at = 0;
    for (let at = this.#members.length - 1; at > 0; at -= 1) this.#swap(at, Math.floor(this.#random() * (at + 1)));
  }

  /**
   * Inserts at a random position, so that members that join together are not visited together (memberlist aliveNode).
   */
  enter(member: Member): void {
    this.#members.push(member);
    this.#swap(this.#members.length - 1, Math.floor(this.#random() * this.#members.length));
  }

  #swap(one: number, other: number): void {
    const [left, right] = [this.#members[one], this.#members[other]];
    if (left === undefined || right === undefined) return;
    this.#members[one] = right;
    this.#members[other] = left;
  }
}
