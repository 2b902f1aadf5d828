import { HybridClock } from './hybrid-clock.ts';
import { isNewer, keyOf, type DnsName, type GossipRecord } from './record.ts';

export interface RecordSettings {
  /** How long the records of a peer that failed stand: it may come back, and its address may serve meanwhile. */
  readonly ownerTtlMs: number;
  /** How long is remembered what is not there any more, so that nobody who was cut off brings it back. */
  readonly rememberMs: number;
}

/** A minute is several times what SWIM needs to find a failure; an hour outlasts any exchange of states. */
export const RECORD_SETTINGS: RecordSettings = { ownerTtlMs: 60_000, rememberMs: 60 * 60 * 1000 };

interface Entry {
  readonly record: GossipRecord;
  readonly sinceMs: number;
}

interface Owner {
  /** `gone` is one that said good-bye. */
  readonly presence: 'live' | 'missing' | 'gone';
  readonly sinceMs: number;
}

/**
 * Names of DNS that all peers hold alike. Each peer writes its own and hands on the others'; of one record the later
 * write wins, so that any order, loss and repetition of messages ends the same. A record is in force while its owner is
 * there; whether it is, each peer sees for itself.
 */
export class RecordMap {
  readonly #self: string;
  readonly #settings: RecordSettings;
  readonly #clock = new HybridClock();
  readonly #entries = new Map<string, Entry>();
  readonly #owners = new Map<string, Owner>();

  constructor(self: string, settings: RecordSettings = RECORD_SETTINGS) {
    this.#self = self;
    this.#settings = settings;
  }

  /** This peer's own names are these from now on. Returns what is to be said of it. */
  publish(names: readonly DnsName[], nowMs: number): readonly GossipRecord[] {
    const wanted = new Map(names.map((name) => [keyOf({ ...name, owner: this.#self }), name]));
    const changed: GossipRecord[] = [];
    for (const [key, { record }] of this.#entries) {
      if (record.owner === this.#self && !record.isDeleted && !wanted.has(key)) {
        changed.push(this.#write({ ...record, addresses: [], isDeleted: true }, nowMs));
      }
    }
    for (const [key, { name, type, addresses }] of wanted) {
      const known = this.#entries.get(key)?.record;
      const isSame = known?.isDeleted === false && known.addresses.join(',') === addresses.join(',');
      if (!isSame) changed.push(this.#write({ name, type, addresses, owner: this.#self, isDeleted: false }, nowMs));
    }
    return changed;
  }

  /** Takes what another peer holds. Returns what was new, which is to be said on. */
  merge(records: readonly GossipRecord[], nowMs: number): readonly GossipRecord[] {
    return records.flatMap((record) => {
      const known = this.#entries.get(keyOf(record));
      if (known === undefined ? this.#isOver(record, nowMs) : !isNewer(record, known.record)) return [];
      if (record.owner === this.#self) return [this.#correct(record, known?.record, nowMs)];
      this.#entries.set(keyOf(record), { record, sinceMs: nowMs });
      return [record];
    });
  }

  /** Says whether a peer is there, as this one sees it. Returns whether records depend on it: most machines have none. */
  owner(name: string, presence: Owner['presence'], nowMs: number): boolean {
    if (this.#owners.get(name)?.presence !== presence) this.#owners.set(name, { presence, sinceMs: nowMs });
    for (const { record } of this.#entries.values()) if (record.owner === name) return true;
    return false;
  }

  /** What is in force, in an order that is always the same. */
  inForce(nowMs: number): readonly GossipRecord[] {
    return [...this.#entries]
      .filter(([, entry]) => this.#isInForce(entry, nowMs))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { record }]) => record);
  }

  /** Everything that others have to know, also what is not in force any longer. */
  all(): readonly GossipRecord[] {
    return [...this.#entries.values()].map(({ record }) => record);
  }

  /** Forgets what has not been in force for so long that nobody can bring it back. Returns how much that was. */
  forget(nowMs: number): number {
    let forgotten = 0;
    for (const [key, entry] of this.#entries) {
      const outSinceMs = this.#outSinceMs(entry);
      if (nowMs - outSinceMs < this.#settings.rememberMs) continue;
      this.#entries.delete(key);
      forgotten += 1;
    }
    for (const [name, { presence, sinceMs }] of this.#owners) {
      if (presence !== 'live' && nowMs - sinceMs >= 2 * this.#settings.rememberMs) this.#owners.delete(name);
    }
    return forgotten;
  }

  /** When something goes out of force by itself next; Infinity where nothing does. */
  nextChangeMs(nowMs: number): number {
    let nextMs = Infinity;
    for (const entry of this.#entries.values()) {
      if (this.#isInForce(entry, nowMs)) nextMs = Math.min(nextMs, this.#outSinceMs(entry));
    }
    return nextMs;
  }

  /** What was taken back long ago and is forgotten here has not to be learned again. */
  #isOver(record: GossipRecord, nowMs: number): boolean {
    return record.isDeleted && nowMs - record.stamp.ms >= this.#settings.rememberMs;
  }

  /** Somebody holds a record of this peer that this one did not write: of an earlier life, or of another machine. */
  #correct(record: GossipRecord, own: GossipRecord | undefined, nowMs: number): GossipRecord {
    this.#clock.observe(record.stamp);
    return this.#write(own ?? { ...record, addresses: [], isDeleted: true }, nowMs);
  }

  #write(record: Omit<GossipRecord, 'stamp'>, nowMs: number): GossipRecord {
    const { name, type, owner, addresses, isDeleted } = record;
    const written = { name, type, owner, addresses, isDeleted, stamp: this.#clock.next(nowMs) };
    this.#entries.set(keyOf(written), { record: written, sinceMs: nowMs });
    return written;
  }

  #isInForce(entry: Entry, nowMs: number): boolean {
    return !entry.record.isDeleted && nowMs < this.#outSinceMs(entry);
  }

  /** From when on an entry is not in force. */
  #outSinceMs(entry: Entry): number {
    if (entry.record.isDeleted) return entry.sinceMs;
    if (entry.record.owner === this.#self) return Infinity;
    const owner = this.#owners.get(entry.record.owner);
    // News of a record can come before news of its owner.
    if (owner === undefined) return entry.sinceMs + this.#settings.ownerTtlMs;
    if (owner.presence === 'live') return Infinity;
    return owner.presence === 'gone' ? owner.sinceMs : owner.sinceMs + this.#settings.ownerTtlMs;
  }
}
