import { isAhead } from './ahead-of-time.ts';
import { HybridClock } from './hybrid-clock.ts';
import { isNewer, keyOf, type DnsName, type GossipRecord } from './record.ts';

export interface RecordSettings {
  /** How long the records of a failed peer stay in force: it may come back, and its address may still work. */
  readonly ownerTtlMs: number;
  /** How long deleted records are remembered, so that a peer that was cut off cannot bring them back. */
  readonly rememberMs: number;
}

/**
 * One minute is several times as long as SWIM needs to detect a failure. One hour is longer than any interval between
 * exchanges of states.
 */
export const RECORD_SETTINGS: RecordSettings = { ownerTtlMs: 60_000, rememberMs: 60 * 60 * 1000 };

/**
 * A cluster has a few names for each control plane. Whoever has the key of the gossip can make up any number of records and
 * owners.
 */
const MAX_RECORDS = 4096;
/** More than gossip has members. */
const MAX_OWNERS = 16_384;

interface Entry {
  readonly record: GossipRecord;
  readonly sinceMs: number;
}

interface Owner {
  /** `gone` means that the peer left. */
  readonly presence: 'live' | 'missing' | 'gone';
  readonly sinceMs: number;
}

/**
 * DNS records replicated on all peers. Each peer writes its own records and passes on those of others. For each record
 * the later write wins, so messages may arrive in any order, repeatedly or not at all. A record is in force while its
 * owner is a member; each peer decides that for itself.
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

  /** Replaces this peer's own names. Returns the changed records, for broadcast. */
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

  /** Whether there is no room for another record of others. */
  get isFull(): boolean {
    return this.#entries.size >= MAX_RECORDS;
  }

  /**
   * Merges records of another peer. Returns the new ones, for broadcast. Records of the far future are left out, and new ones
   * once the map is full.
   */
  merge(records: readonly GossipRecord[], nowMs: number): readonly GossipRecord[] {
    return records.flatMap((record) => {
      if (isAhead(record.stamp, nowMs)) return [];
      const known = this.#entries.get(keyOf(record));
      if (known === undefined && this.isFull) return [];
      if (known === undefined ? this.#isOver(record, nowMs) : !isNewer(record, known.record)) return [];
      if (record.owner === this.#self) return [this.#correct(record, known?.record, nowMs)];
      this.#entries.set(keyOf(record), { record, sinceMs: nowMs });
      return [record];
    });
  }

  /** Sets whether a peer is a member. Returns whether any record depends on it; most machines have none. */
  owner(name: string, presence: Owner['presence'], nowMs: number): boolean {
    if (this.#owners.get(name)?.presence !== presence) {
      this.#owners.delete(name);
      if (this.#owners.size >= MAX_OWNERS) this.#forgetOldestGone();
      this.#owners.set(name, { presence, sinceMs: nowMs });
    }
    for (const { record } of this.#entries.values()) if (record.owner === name) return true;
    return false;
  }

  /** Whether a peer is a member. */
  isPresent(name: string): boolean {
    return name === this.#self || this.#owners.get(name)?.presence === 'live';
  }

  /** The records in force, always in the same order. */
  inForce(nowMs: number): readonly GossipRecord[] {
    return [...this.#entries]
      .filter(([, entry]) => this.#isInForce(entry, nowMs))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { record }]) => record);
  }

  /** All records for other peers, including records that are no longer in force. */
  all(): readonly GossipRecord[] {
    return [...this.#entries.values()].map(({ record }) => record);
  }

  /** Forgets records that went out of force so long ago that no peer can bring them back. Returns their number. */
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

  /** When the next record goes out of force by itself; Infinity if none does. */
  nextChangeMs(nowMs: number): number {
    let nextMs = Infinity;
    for (const entry of this.#entries.values()) {
      if (this.#isInForce(entry, nowMs)) nextMs = Math.min(nextMs, this.#outSinceMs(entry));
    }
    return nextMs;
  }

  /** Owners are in the order in which they changed. Those that are live are members, and gossip bounds their number. */
  #forgetOldestGone(): void {
    for (const [name, { presence }] of this.#owners) {
      if (presence === 'live') continue;
      this.#owners.delete(name);
      return;
    }
  }

  /** A record deleted so long ago that it may be forgotten here must not be stored again. */
  #isOver(record: GossipRecord, nowMs: number): boolean {
    return record.isDeleted && nowMs - record.stamp.ms >= this.#settings.rememberMs;
  }

  /**
   * Another peer holds a record of this peer that this peer did not write, from before a restart or from another
   * machine with its name. Writes a later one.
   */
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

  /** The time from which an entry is out of force. */
  #outSinceMs(entry: Entry): number {
    if (entry.record.isDeleted) return entry.sinceMs;
    if (entry.record.owner === this.#self) return Infinity;
    const owner = this.#owners.get(entry.record.owner);
    // A record can arrive before its owner becomes known.
    if (owner === undefined) return entry.sinceMs + this.#settings.ownerTtlMs;
    if (owner.presence === 'live') return Infinity;
    return owner.presence === 'gone' ? owner.sinceMs : owner.sinceMs + this.#settings.ownerTtlMs;
  }
}
