import { Fields } from '../wire/fields.ts';
import { PackReader } from '../wire/pack-reader.ts';
import { PackWriter } from '../wire/pack-writer.ts';
import { Refusal, refusing } from '../wire/refusal.ts';
import type { GossipRecord } from './record.ts';

/**
 * What all records begin with: a byte that no message of serf begins with (those are 0 to 9), so that either can tell
 * that the other's are not for it, and the version of this form.
 */
const ENVELOPE = Uint8Array.of(0x6b, 1);

/** RFC 1035: a name of DNS has at most 255 bytes. */
const MAX_NAME_BYTES = 255;
const MAX_TYPE_BYTES = 16;
/** Some hundred addresses; a record has to fit into a packet. */
const MAX_ADDRESSES_BYTES = 1024;
/** A thousand machines with some names each. */
const MAX_RECORDS = 20_000;
/** The year 6429; more would leave no room for counting on. */
const MAX_MS = 2 ** 47;

/** One record as a message of users. */
export function encodeRecord(record: GossipRecord): Uint8Array {
  return write(new PackWriter().append(ENVELOPE), record).finish();
}

/** The record in a message of users; undefined where the message is not about records. */
export function decodeRecord(payload: Uint8Array): GossipRecord | Refusal | undefined {
  if (!isEnvelope(payload)) return undefined;
  return refusing(() => read(new PackReader(payload, ENVELOPE.length)));
}

/** All records, for an exchange of whole states. */
export function encodeRecords(records: readonly GossipRecord[]): Uint8Array {
  const out = new PackWriter(64 + records.length * 96).append(ENVELOPE).map(1).key('Records').uint(records.length);
  for (const record of records) write(out, record);
  return out.finish();
}

/** The records in a whole state; undefined where the state is not of records. */
export function decodeRecords(userState: Uint8Array): readonly GossipRecord[] | Refusal | undefined {
  if (!isEnvelope(userState)) return undefined;
  return refusing(() => {
    const reader = new PackReader(userState, ENVELOPE.length);
    const count = new Fields(reader.map()).uint('Records', MAX_RECORDS);
    // A record takes far more than a byte, so a count that cannot be true ends at the end of the bytes.
    const records: GossipRecord[] = [];
    for (let index = 0; index < count; index += 1) records.push(read(reader));
    return records;
  });
}

function isEnvelope(bytes: Uint8Array): boolean {
  return ENVELOPE.every((byte, index) => bytes[index] === byte);
}

function write(out: PackWriter, record: GossipRecord): PackWriter {
  out.map(7).key('Name').text(record.name).key('Type').text(record.type).key('Owner').text(record.owner);
  out.key('Addresses').text(record.addresses.join(',')).key('Ms').uint(record.stamp.ms);
  return out.key('Count').uint(record.stamp.count).key('Deleted').bool(record.isDeleted);
}

function read(reader: PackReader): GossipRecord {
  const fields = new Fields(reader.map());
  const name = fields.text('Name', MAX_NAME_BYTES);
  if (name === '') throw new Refusal('malformed', 'a record without a name');
  const addresses = fields.text('Addresses', MAX_ADDRESSES_BYTES);
  return {
    name,
    type: fields.text('Type', MAX_TYPE_BYTES),
    owner: fields.name('Owner'),
    addresses: addresses === '' ? [] : addresses.split(','),
    stamp: { ms: fields.uint('Ms', MAX_MS), count: fields.uint('Count') },
    isDeleted: fields.bool('Deleted'),
  };
}
