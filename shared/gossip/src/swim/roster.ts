import { isGone, type Member } from './member.ts';
import { Ring, type Random } from './ring.ts';

/**
 * All known nodes except this peer. Living and gone ones are kept in separate lists, so that choosing some at random
 * costs the same in a cluster of any size. Rings hold the order in which members are probed and gossiped to.
 */
export class Roster {
  readonly #byName = new Map<string, Member>();
  readonly #living: Member[] = [];
  readonly #gone: Member[] = [];
  readonly #random: Random;
  readonly #probing: Ring;
  readonly #telling: Ring;

  constructor(random: Random) {
    this.#random = random;
    this.#probing = new Ring(random);
    this.#telling = new Ring(random);
  }

  get(name: string): Member | undefined {
    return this.#byName.get(name);
  }

  all(): IterableIterator<Member> {
    return this.#byName.values();
  }

  /** The number of members, gone ones among them. */
  get count(): number {
    return this.#byName.size;
  }

  /** The number of members that are alive or suspected. */
  get livingCount(): number {
    return this.#living.length;
  }

  add(member: Member): void {
    this.#byName.set(member.name, member);
    this.#place(isGone(member) ? this.#gone : this.#living, member);
    if (!isGone(member)) this.#enterRings(member);
  }

  /** Moves a member between the lists after its state has changed. */
  moved(member: Member): void {
    const wasGone = this.#gone[member.place] === member;
    if (isGone(member) === wasGone) return;
    this.#unplace(wasGone ? this.#gone : this.#living, member);
    this.#place(wasGone ? this.#living : this.#gone, member);
    if (wasGone) this.#enterRings(member);
  }

  forget(member: Member): void {
    this.#byName.delete(member.name);
    this.#unplace(isGone(member) ? this.#gone : this.#living, member);
  }

  /** The member to probe next. Each living member comes once in every round; the order changes from round to round. */
  nextToProbe(): Member | undefined {
    return this.#next(this.#probing);
  }

  /**
   * Up to `count` members to gossip to. Living members come in turn, so that news sent as often as there are members
   * reaches all of them. At times a gone one is chosen, so that it learns that it is considered dead.
   */
  nextToTell(count: number): readonly Member[] {
    const picked = new Set<Member>();
    const total = this.#living.length + this.#gone.length;
    for (let attempt = 0; attempt < count; attempt += 1) {
      const at = Math.floor(this.#random() * total) - this.#living.length;
      const member = at >= 0 ? this.#gone[at] : this.#next(this.#telling);
      if (member !== undefined) picked.add(member);
    }
    return [...picked];
  }

  /** Up to `count` random members that are alive and not suspected, without the given one. */
  pickAlive(count: number, without?: Member): readonly Member[] {
    const picked = new Set<Member>();
    const total = this.#living.length;
    // memberlist kRandomNodes tries three times the cluster size. Fewer tries are enough, because nearly all members in
    // this list are alive.
    const tries = Math.min(3 * total, 16 * count);
    for (let attempt = 0; attempt < tries && picked.size < count; attempt += 1) {
      const member = this.#living[Math.floor(this.#random() * total)];
      if (member?.state === 'alive' && member !== without) picked.add(member);
    }
    return [...picked];
  }

  #next(ring: Ring): Member | undefined {
    for (let round = 0; round < 2; round += 1) {
      for (let member = ring.next(); member !== undefined; member = ring.next()) {
        if (!isGone(member) && this.#byName.get(member.name) === member) return member;
      }
      ring.restart(this.#living);
    }
    return undefined;
  }

  #enterRings(member: Member): void {
    this.#probing.enter(member);
    this.#telling.enter(member);
  }

  #place(list: Member[], member: Member): void {
    member.place = list.length;
    list.push(member);
  }

  #unplace(list: Member[], member: Member): void {
    const last = list.pop();
    if (last === undefined || last === member) return;
    list[member.place] = last;
    last.place = member.place;
  }
}
