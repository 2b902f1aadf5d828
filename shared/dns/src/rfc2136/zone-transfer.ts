import { isRecordType, type ObservedRecordSet } from '../zone.ts';
import { TYPE, type ReceivedMessage, type ReceivedRecord } from './message.ts';
import { decodeValue } from './record-data.ts';

/** The records that a server adds when it signs a zone (DNSSEC). They may exist beside any other and have no owner. */
const ADDED_BY_SERVERS: readonly number[] = [TYPE.RRSIG, TYPE.NSEC, TYPE.NSEC3];

interface Growing {
  readonly name: string;
  readonly type: string;
  ttlSeconds: number;
  readonly values: string[];
}

/** Assembles a zone from AXFR (RFC 5936): any number of messages that begin and end with the SOA record. */
export class ZoneTransfer {
  readonly #zoneName: string;
  readonly #sets = new Map<string, Growing>();
  #soaCount = 0;

  constructor(zoneName: string) {
    this.#zoneName = zoneName;
  }

  /** Adds the records of a message; returns true when the zone is complete. */
  take(message: ReceivedMessage): boolean {
    for (const record of message.answers) {
      if (record.type === TYPE.SOA && record.name === this.#zoneName) this.#soaCount++;
      if (this.#soaCount === 0) throw new Error('the transfer does not begin with the SOA record of the zone');
      if (this.#soaCount < 2) this.#add(record, message);
    }
    return this.#soaCount >= 2;
  }

  sets(): readonly ObservedRecordSet[] {
    return [...this.#sets.values()];
  }

  #add(record: ReceivedRecord, message: ReceivedMessage): void {
    if (ADDED_BY_SERVERS.includes(record.type)) return;
    const type = typeName(record.type);
    const key = `${record.name} ${type}`;
    const set = this.#sets.get(key) ?? { name: record.name, type, ttlSeconds: record.ttlSeconds, values: [] };
    this.#sets.set(key, set);
    set.ttlSeconds = Math.min(set.ttlSeconds, record.ttlSeconds);
    if (isRecordType(type)) set.values.push(decodeValue(type, record, message));
  }
}

function typeName(type: number): string {
  return Object.entries(TYPE).find(([, code]) => code === type)?.[0] ?? `TYPE${type}`;
}
