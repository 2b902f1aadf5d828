import { Refusal } from '../wire/refusal.ts';
import { aheadRefusal } from './ahead-of-time.ts';
import { type DnsName, type GossipRecord, keyOf, type RecordInForce } from './record.ts';
import { decodeRecord, decodeRecords, encodeRecord, encodeRecords, encodeSignedRecord } from './record-codec.ts';
import { RecordMap, type RecordSettings } from './record-map.ts';
import type { SignedRecord } from './signed/signed-record.ts';
import { type RecordSigning, type RecordSource, SignedRecords, type RecordTrust } from './signed/signed-records.ts';

/** Each time, all records and owners are looked at: too much to do for every member that comes or goes. */
const FORGET_EVERY_MS = 1000;

export interface RecordsEnv {
  /** The name of this peer. */
  readonly name: string;
  /** The label of its cluster. */
  readonly label: string;
  readonly settings: RecordSettings;
  /** Without it, no name is reserved. */
  readonly signing?: RecordSigning | undefined;
  /** The time of day: records of other machines are compared with it. It may be set while this peer runs. */
  nowMs(): number;
  /** Broadcasts a message; `isOwn` is false for one that another peer wrote. */
  say(about: string, payload: Uint8Array, isOwn: boolean): void;
  /** Called when the set of records in force has changed. */
  onChange(): void;
}

/** Connects the records to gossip: broadcasts new ones, and takes records out of force when their time is up. */
export class ReplicatedRecords {
  readonly #env: RecordsEnv;
  readonly #map: RecordMap;
  readonly #signed: SignedRecords | undefined;
  #timer: NodeJS.Timeout | undefined;
  #inForce = '[]';
  #isClosed = false;
  #forgotAtMs = 0;

  constructor(env: RecordsEnv) {
    this.#env = env;
    this.#map = new RecordMap(env.name, env.settings);
    this.#signed = env.signing && new SignedRecords(env.name, env.label, env.signing.trust);
  }

  inForce(): readonly RecordInForce[] {
    const nowMs = this.#env.nowMs();
    const unsigned = this.#map.inForce(nowMs);
    const signed = this.#signed?.known.inForce(nowMs) ?? [];
    return [...unsigned, ...signed.map(({ record, roles }) => ({ ...record, roles }))].map((record) => ({
      ...record,
      isOwnerPresent: this.#map.isPresent(record.owner),
    }));
  }

  /** Replaces this peer's own names. Returns whether anything has changed. */
  publish(names: readonly DnsName[]): boolean {
    const nowMs = this.#env.nowMs();
    const signed = this.#signed?.publish(
      names.filter(({ name }) => this.#isReserved(name)),
      nowMs,
    );
    const unsigned = this.#map.publish(
      names.filter(({ name }) => !this.#isReserved(name)),
      nowMs,
    );
    this.#spread(unsigned, signed);
    return unsigned.length + (signed?.length ?? 0) > 0;
  }

  replaceTrust(trust: RecordTrust): void {
    this.#signed?.replaceTrust(trust);
  }

  owner(name: string, presence: 'live' | 'missing' | 'gone'): void {
    const nowMs = this.#env.nowMs();
    const hasRecords = this.#map.owner(name, presence, nowMs) || this.#signed?.known.hasOwner(name) === true;
    if (this.#forget(nowMs) > 0 || hasRecords) this.#look();
  }

  /** Handles a user message; `foreign` means that it is not a record. */
  takeMessage(payload: Uint8Array, from: string): 'taken' | 'foreign' | Refusal {
    const record = decodeRecord(payload);
    if (record === undefined) return 'foreign';
    if (record instanceof Refusal) return record;
    const isSigned = 'signature' in record;
    // Other peers may know what to do with it.
    if (isSigned && this.#signed === undefined) return 'foreign';
    const refusal = isSigned ? this.#take([record], { by: 'packet', address: from }) : this.#merge([record]);
    return refusal ?? 'taken';
  }

  /** Merges the user state of another peer. */
  takeState(userState: Uint8Array, from: string): Refusal | undefined {
    const records = decodeRecords(userState);
    if (records === undefined || records instanceof Refusal) return records;
    const refusal = this.#merge(records.unsigned);
    return this.#take(records.signed, { by: 'state', address: from }) ?? refusal;
  }

  /** The user state for an exchange of states. */
  state(): Uint8Array {
    return encodeRecords({ unsigned: this.#map.all(), signed: this.#signed?.known.all() ?? [] });
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #forget(nowMs: number): number {
    // The clock may have been set back.
    if (Math.abs(nowMs - this.#forgotAtMs) < FORGET_EVERY_MS) return 0;
    this.#forgotAtMs = nowMs;
    return this.#map.forget(nowMs);
  }

  #isReserved(name: string): boolean {
    return this.#env.signing?.isReserved(name) === true;
  }

  /** Merges records without signatures. Returns why one was left out, for the log. */
  #merge(records: readonly GossipRecord[]): Refusal | undefined {
    const nowMs = this.#env.nowMs();
    const open = records.filter(({ name }) => !this.#isReserved(name));
    this.#spread(this.#map.merge(open, nowMs));
    const reserved = records.find(({ name }) => this.#isReserved(name));
    if (reserved !== undefined) {
      return new Refusal('not-certified', `${reserved.owner} has not signed its record of ${reserved.name}`);
    }
    if (this.#map.isFull)
      return new Refusal('too-many', 'there are more records than a cluster has; no new one is taken');
    return open.map((record) => aheadRefusal(record, nowMs)).find((refusal) => refusal !== undefined);
  }

  /** Verifies and merges records with signatures. Returns why one was left out, for the log. */
  #take(records: readonly SignedRecord[], from: RecordSource): Refusal | undefined {
    const taken = this.#signed?.take(records, from, this.#env.nowMs());
    this.#spread([], taken?.fresh);
    return taken?.refusal;
  }

  #spread(unsigned: readonly GossipRecord[], signed: readonly SignedRecord[] = []): void {
    this.#say(unsigned, signed);
    if (unsigned.length + signed.length > 0) this.#look();
  }

  #say(unsigned: readonly GossipRecord[], signed: readonly SignedRecord[]): void {
    const isOwn = ({ owner }: GossipRecord): boolean => owner === this.#env.name;
    for (const record of unsigned) this.#env.say(keyOf(record), encodeRecord(record), isOwn(record));
    for (const one of signed) {
      this.#env.say(`signed ${keyOf(one.record)}`, encodeSignedRecord(one), isOwn(one.record));
    }
  }

  /** Checks whether the records in force have changed, now and again when the next record runs out of time. */
  #look(): void {
    const nowMs = this.#env.nowMs();
    this.#map.forget(nowMs);
    if (!this.#isClosed) this.#say([], this.#signed?.tick(nowMs) ?? []);
    const before = this.#inForce;
    this.#inForce = JSON.stringify(this.inForce());
    clearTimeout(this.#timer);
    const nextMs = Math.min(this.#map.nextChangeMs(nowMs), this.#signed?.nextTickMs() ?? Infinity);
    const inMs = Math.max(0, nextMs - nowMs);
    if (Number.isFinite(inMs) && !this.#isClosed) this.#timer = setTimeout(() => this.#look(), inMs + 1).unref();
    if (this.#inForce !== before) this.#env.onChange();
  }
}
