import { Refusal } from '../wire/refusal.ts';
import { keyOf, type DnsName, type GossipRecord } from './record.ts';
import { decodeRecord, decodeRecords, encodeRecord, encodeRecords } from './record-codec.ts';
import { RecordMap, type RecordSettings } from './record-map.ts';

export interface RecordsEnv {
  /** The name of this peer. */
  readonly name: string;
  readonly settings: RecordSettings;
  /** A clock that never goes back and stays close to the time of day. */
  nowMs(): number;
  /** Broadcasts a message; `isOwn` is false for one that another peer wrote. */
  say(about: string, payload: Uint8Array, isOwn: boolean): void;
  /** Called when the set of records in force has changed. */
  onChange(): void;
}

/** Connects the record map to gossip: broadcasts new records, and takes records out of force when their time is up. */
export class ReplicatedRecords {
  readonly #env: RecordsEnv;
  readonly #map: RecordMap;
  #timer: NodeJS.Timeout | undefined;
  #inForce = '[]';
  #isClosed = false;

  constructor(env: RecordsEnv) {
    this.#env = env;
    this.#map = new RecordMap(env.name, env.settings);
  }

  inForce(): readonly GossipRecord[] {
    return this.#map.inForce(this.#env.nowMs());
  }

  publish(names: readonly DnsName[]): void {
    this.#spread(this.#map.publish(names, this.#env.nowMs()));
  }

  owner(name: string, presence: 'live' | 'missing' | 'gone'): void {
    const nowMs = this.#env.nowMs();
    if (this.#map.owner(name, presence, nowMs) || this.#map.forget(nowMs) > 0) this.#look();
  }

  /** Handles a user message; `foreign` means that it is not a record. */
  takeMessage(payload: Uint8Array): 'taken' | 'foreign' | Refusal {
    const record = decodeRecord(payload);
    if (record === undefined) return 'foreign';
    if (record instanceof Refusal) return record;
    this.#merge([record]);
    return 'taken';
  }

  /** Merges the user state of another peer. */
  takeState(userState: Uint8Array): Refusal | undefined {
    const records = decodeRecords(userState);
    if (records instanceof Refusal) return records;
    if (records !== undefined) this.#merge(records);
    return undefined;
  }

  /** The user state for an exchange of states. */
  state(): Uint8Array {
    return encodeRecords(this.#map.all());
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #merge(records: readonly GossipRecord[]): void {
    this.#spread(this.#map.merge(records, this.#env.nowMs()));
  }

  #spread(fresh: readonly GossipRecord[]): void {
    for (const record of fresh) {
      this.#env.say(keyOf(record), encodeRecord(record), record.owner === this.#env.name);
    }
    if (fresh.length > 0) this.#look();
  }

  /** Checks whether the records in force have changed, now and again when the next record runs out of time. */
  #look(): void {
    const nowMs = this.#env.nowMs();
    this.#map.forget(nowMs);
    const before = this.#inForce;
    this.#inForce = JSON.stringify(this.#map.inForce(nowMs));
    clearTimeout(this.#timer);
    const inMs = this.#map.nextChangeMs(nowMs) - nowMs;
    if (Number.isFinite(inMs) && !this.#isClosed) this.#timer = setTimeout(() => this.#look(), inMs + 1).unref();
    if (this.#inForce !== before) this.#env.onChange();
  }
}
