import { Refusal, refusing } from '../../wire/refusal.ts';
import type { DnsName } from '../record.ts';
import { CertifiedKeys } from './certified-keys.ts';
import { type RecordIdentity, RecordSigner } from './record-signer.ts';
import { wrongTimes, type SignedRecord } from './signed-record.ts';
import { SignedRecordMap } from './signed-record-map.ts';
import { VerificationBudget } from './verification-budget.ts';
import { verifyRecord } from './verify-record.ts';

/** The authorities that are trusted, and the key that this peer signs with. */
export interface RecordTrust {
  /** The authorities that certify the keys of owners, a PEM bundle. */
  readonly authoritiesPem: string;
  /** This peer's own certificate and key, if it publishes reserved names. */
  readonly identity?: RecordIdentity;
}

export interface RecordSigning {
  /** Whether a name counts only with a signature. */
  readonly isReserved: (name: string) => boolean;
  readonly trust: RecordTrust;
}

/** How a record arrived: the sender of a packet can be forged, that of an exchanged state cannot. */
export interface RecordSource {
  readonly by: 'packet' | 'state';
  readonly address: string;
}

/** The records that need a signature: verifies those of others, and signs those of this peer. */
export class SignedRecords {
  readonly #label: string;
  readonly #map: SignedRecordMap;
  readonly #keys: CertifiedKeys;
  /** Separate, because forged packets must not use up the share of exchanged states. */
  readonly #budgets = { packet: new VerificationBudget(), state: new VerificationBudget() };
  #signer: { readonly sign: RecordSigner; readonly roles: readonly string[] } | undefined;

  constructor(self: string, label: string, trust: RecordTrust) {
    this.#label = label;
    this.#map = new SignedRecordMap(self);
    this.#keys = new CertifiedKeys(trust.authoritiesPem);
    this.replaceTrust(trust);
  }

  /** What is known of all records. Only the methods of this class change it. */
  get known(): Pick<SignedRecordMap, 'inForce' | 'all' | 'hasOwner'> {
    return this.#map;
  }

  replaceTrust({ authoritiesPem, identity }: RecordTrust): void {
    this.#keys.replaceAuthorities(authoritiesPem);
    if (identity === undefined) {
      this.#signer = undefined;
      return;
    }
    const sign = new RecordSigner(identity, this.#label);
    this.#signer = { sign, roles: this.#keys.keyOf(sign.certificate).roles };
  }

  /** Replaces this peer's own names. Returns the changed records, for broadcast. */
  publish(names: readonly DnsName[], nowMs: number): readonly SignedRecord[] {
    const signer = this.#signer;
    if (signer === undefined) {
      if (names.length === 0) return [];
      throw new Error(`${names[0]?.name} needs a signature, and this peer has no key to sign with`);
    }
    const { roles } = signer;
    return this.#checked(
      this.#map.publish({ names, roles }, (record) => signer.sign.sign(record), nowMs),
      nowMs,
    );
  }

  /** Forgets what has expired and signs what is due again. Returns the latter, for broadcast. */
  tick(nowMs: number): readonly SignedRecord[] {
    this.#map.forget(nowMs);
    const signer = this.#signer;
    if (signer === undefined) return [];
    return this.#map.renew(signer.roles, (record) => signer.sign.sign(record), nowMs);
  }

  /** When to tick again; Infinity if nothing is known. */
  nextTickMs(): number {
    return this.#map.nextChangeMs(this.#signer !== undefined);
  }

  /** Verifies and merges records of another peer. Returns the new ones, for broadcast, and why the last one was refused. */
  take(
    records: readonly SignedRecord[],
    from: RecordSource,
    nowMs: number,
  ): { readonly fresh: readonly SignedRecord[]; readonly refusal: Refusal | undefined } {
    const fresh: SignedRecord[] = [];
    let refusal: Refusal | undefined;
    for (const signed of records) {
      if (!this.#map.isNews(signed, nowMs)) continue;
      const merged = refusing(() => this.#merge(signed, from, nowMs));
      if (merged instanceof Refusal) refusal = merged;
      else fresh.push(...merged);
    }
    return { fresh, refusal };
  }

  #merge(signed: SignedRecord, from: RecordSource, nowMs: number): readonly SignedRecord[] {
    const wrong = wrongTimes(signed, nowMs);
    if (wrong !== undefined) throw wrong;
    // The expensive check comes last, and its rate is limited.
    if (!this.#budgets[from.by].take(from.address, nowMs)) {
      throw new Refusal('too-many', `${from.address} sends more signatures than are verified in a second`);
    }
    const { roles } = verifyRecord(signed, this.#keys, this.#label, nowMs);
    const signer = this.#signer;
    const sign = signer && ((record: SignedRecord['record']) => signer.sign.sign(record));
    return this.#map.merge(signed, roles, sign, nowMs);
  }

  /** Other peers would refuse a record that does not verify here: it is better to learn of that at its source. */
  #checked(written: readonly SignedRecord[], nowMs: number): readonly SignedRecord[] {
    for (const one of written) verifyRecord(one, this.#keys, this.#label, nowMs);
    return written;
  }
}
