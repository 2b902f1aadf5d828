import { HybridClock } from '../hybrid-clock.ts';
import { type DnsName, type GossipRecord, isNewer, keyOf } from '../record.ts';
import { SIGNED_FOR_MS, type SignedRecord } from './signed-record.ts';

type Sign = (record: GossipRecord) => SignedRecord;

interface Entry {
  readonly signed: SignedRecord;
  /** The roles for which its key is certified. */
  readonly roles: readonly string[];
}

/** Which of several names this peer publishes, and under which roles. */
export interface SignedNames {
  readonly names: readonly DnsName[];
  readonly roles: readonly string[];
}

/**
 * Signed records of all owners. The later write wins, as without signatures, but a record counts until its owner
 * withdraws it by a signed record or its signature expires. Whether the owner is a member does not matter: anybody who
 * has the key of the gossip can declare it dead. Signed and unsigned records never replace each other.
 */
export class SignedRecordMap {
  readonly #self: string;
  readonly #clock = new HybridClock();
  readonly #entries = new Map<string, Entry>();
  /** Until then, records of this peer are those of its last run, and stay as they are. */
  #hasPublished = false;

  constructor(self: string) {
    this.#self = self;
  }

  /** Replaces this peer's own names. Returns the changed records, for broadcast. */
  publish({ names, roles }: SignedNames, sign: Sign, nowMs: number): readonly SignedRecord[] {
    this.#hasPublished = true;
    const wanted = new Map(names.map((name) => [keyOf({ ...name, owner: this.#self }), name]));
    const withdrawn = [...this.#own()].filter(
      ({ signed: { record } }) => !record.isDeleted && !wanted.has(keyOf(record)),
    );
    const changed = [...wanted].filter(([key, { addresses }]) => {
      const known = this.#entries.get(key)?.signed.record;
      return known === undefined || known.isDeleted || known.addresses.join(',') !== addresses.join(',');
    });
    return [
      ...withdrawn.map(({ signed }) => this.#write(withdrawalOf(signed.record), roles, sign, nowMs)),
      ...changed.map(([, name]) => this.#write({ ...name, owner: this.#self, isDeleted: false }, roles, sign, nowMs)),
    ];
  }

  /** Signs this peer's records again once half of their time has passed. Returns them, for broadcast. */
  renew(roles: readonly string[], sign: Sign, nowMs: number): readonly SignedRecord[] {
    return [...this.#own()]
      .filter(({ signed }) => this.#hasPublished && !signed.record.isDeleted && renewalMs(signed) <= nowMs)
      .map(({ signed }) => this.#write(signed.record, roles, sign, nowMs));
  }

  /** Whether a record would change anything. What changes nothing needs no verification. */
  isNews({ record, expiresMs }: SignedRecord, nowMs: number): boolean {
    if (expiresMs <= nowMs) return false;
    const known = this.#entries.get(keyOf(record))?.signed.record;
    return known === undefined || isNewer(record, known);
  }

  /**
   * Merges a verified record of another peer. Returns what is new, for broadcast: the record, or, where it is an old
   * record of this peer, a later one. `sign` is undefined if this peer has no key.
   */
  merge(
    signed: SignedRecord,
    roles: readonly string[],
    sign: Sign | undefined,
    nowMs: number,
  ): readonly SignedRecord[] {
    if (!this.isNews(signed, nowMs)) return [];
    const { record } = signed;
    if (record.owner === this.#self) {
      this.#clock.observe(record.stamp);
      if (this.#hasPublished && sign !== undefined) {
        const own = this.#entries.get(keyOf(record))?.signed.record ?? withdrawalOf(record);
        return [this.#write(own, roles, sign, nowMs)];
      }
    }
    this.#entries.set(keyOf(record), { signed, roles });
    return [signed];
  }

  /** The records in force with the roles of their owners, always in the same order. */
  inForce(nowMs: number): readonly { readonly record: GossipRecord; readonly roles: readonly string[] }[] {
    return [...this.#entries]
      .filter(([, { signed }]) => !signed.record.isDeleted && nowMs < signed.expiresMs)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, { signed, roles }]) => ({ record: signed.record, roles }));
  }

  /** All records for other peers, withdrawals among them. */
  all(): readonly SignedRecord[] {
    return [...this.#entries.values()].map(({ signed }) => signed);
  }

  hasOwner(name: string): boolean {
    return this.all().some(({ record }) => record.owner === name);
  }

  /** Forgets what has expired. An older record expires before the withdrawal that replaced it, so it cannot come back. */
  forget(nowMs: number): void {
    for (const [key, { signed }] of this.#entries) if (signed.expiresMs <= nowMs) this.#entries.delete(key);
  }

  /** When the next record expires or, if this peer can sign, is to be renewed; Infinity if none is. */
  nextChangeMs(canSign: boolean): number {
    let nextMs = Infinity;
    for (const { signed } of this.#entries.values()) {
      const { owner, isDeleted } = signed.record;
      const isRenewed = canSign && owner === this.#self && this.#hasPublished && !isDeleted;
      nextMs = Math.min(nextMs, isRenewed ? renewalMs(signed) : signed.expiresMs);
    }
    return nextMs;
  }

  *#own(): Generator<Entry> {
    for (const entry of this.#entries.values()) if (entry.signed.record.owner === this.#self) yield entry;
  }

  #write(record: Omit<GossipRecord, 'stamp'>, roles: readonly string[], sign: Sign, nowMs: number): SignedRecord {
    const { name, type, owner, addresses, isDeleted } = record;
    const signed = sign({ name, type, owner, addresses, isDeleted, stamp: this.#clock.next(nowMs) });
    this.#entries.set(keyOf(record), { signed, roles });
    return signed;
  }
}

const withdrawalOf = (record: Omit<GossipRecord, 'stamp'>) => ({ ...record, addresses: [], isDeleted: true });

const renewalMs = ({ record }: SignedRecord): number => record.stamp.ms + SIGNED_FOR_MS / 2;
