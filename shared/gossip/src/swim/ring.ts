import type { Member } from './member.ts';

/** Random numbers from 0 up to but without 1. */
export type Random = () => number;

/** Members in an order of chance; who has gone since stays in it and is to be passed over. */
export class Ring {
  readonly #random: Random;
  #members: Member[] = [];
  #at = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The next one; undefined when all have had their turn. */
  next(): Member | undefined {
    return this.#members[this.#at++];
  }

  restart(members: readonly Member[]): void {
    this.#members = [...members];
    this.#at = 0;
    for (let at = this.#members.length - 1; at > 0; at -= 1) this.#swap(at, Math.floor(this.#random() * (at + 1)));
  }

  /** At a random position, so that those who came together do not have their turn together (memberlist aliveNode). */
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
