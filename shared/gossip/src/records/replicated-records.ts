import { Refusal } from '../wire/refusal.ts';
import { keyOf, type DnsName, type GossipRecord } from './record.ts';
import { decodeRecord, decodeRecords, encodeRecord, encodeRecords } from './record-codec.ts';
import { RecordMap, type RecordSettings } from './record-map.ts';

export interface RecordsEnv {
  /** The name of this peer. */
  readonly name: string;
  readonly settings: RecordSettings;
  /** A clock that never goes back and is near to the time of day. */
  nowMs(): number;
  /** Spreads a message; `isOwn` is false for one that another peer wrote. */
  say(about: string, payload: Uint8Array, isOwn: boolean): void;
  /** What is in force has changed. */
  onChange(): void;
}

/** The record map on its way between peers: what is new is said on, and what runs out of time goes out of force. */
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

  /** Takes a message of users, which may be somebody else's. */
  takeMessage(payload: Uint8Array): 'taken' | 'foreign' | Refusal {
    const record = decodeRecord(payload);
    if (record === undefined) return 'foreign';
    if (record instanceof Refusal) return record;
    this.#merge([record]);
    return 'taken';
  }

  /** Takes what came with a whole state. */
  takeState(userState: Uint8Array): Refusal | undefined {
    const records = decodeRecords(userState);
    if (records instanceof Refusal) return records;
    if (records !== undefined) this.#merge(records);
    return undefined;
  }

  /** What goes with a whole state. */
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

  /** Sees whether what is in force is another than before, now and when the next record runs out of time. */
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
