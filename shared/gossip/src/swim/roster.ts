import { isGone, type Member } from './member.ts';
import { Ring, type Random } from './ring.ts';

/**
 * All members but this peer itself. The living and the fallen are lists of their own, so that picking some at random
 * costs the same in any cluster; rings say whose turn it is.
 */
export class Roster {
  readonly #byName = new Map<string, Member>();
  readonly #living: Member[] = [];
  readonly #fallen: Member[] = [];
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

  /** How many are alive or merely suspected. */
  get livingCount(): number {
    return this.#living.length;
  }

  add(member: Member): void {
    this.#byName.set(member.name, member);
    this.#place(isGone(member) ? this.#fallen : this.#living, member);
    if (!isGone(member)) this.#enterRings(member);
  }

  /** Says that a member has fallen or risen; its state is the new one already. */
  moved(member: Member): void {
    const isFallen = this.#fallen[member.place] === member;
    if (isGone(member) === isFallen) return;
    this.#unplace(isFallen ? this.#fallen : this.#living, member);
    this.#place(isFallen ? this.#living : this.#fallen, member);
    if (isFallen) this.#enterRings(member);
  }

  forget(member: Member): void {
    this.#byName.delete(member.name);
    this.#unplace(isGone(member) ? this.#fallen : this.#living, member);
  }

  /** Who is probed next: each of the living once, in an order that is another one each time. */
  nextToProbe(): Member | undefined {
    return this.#next(this.#probing);
  }

  /**
   * Up to `count` members whom gossip is sent to next: the living, one after the other, so that news that is sent as
   * often as there are members misses nobody; and at times the fallen, who are told that they are thought dead.
   */
  nextToTell(count: number): readonly Member[] {
    const picked = new Set<Member>();
    const total = this.#living.length + this.#fallen.length;
    for (let attempt = 0; attempt < count; attempt += 1) {
      const at = Math.floor(this.#random() * total) - this.#living.length;
      const member = at >= 0 ? this.#fallen[at] : this.#next(this.#telling);
      if (member !== undefined) picked.add(member);
    }
    return [...picked];
  }

  /** Up to `count` members at random who are alive and not even suspected, without one of them. */
  pickAlive(count: number, without?: Member): readonly Member[] {
    const picked = new Set<Member>();
    const total = this.#living.length;
    // memberlist kRandomNodes tries three times the cluster; hardly anybody here is passed over.
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
