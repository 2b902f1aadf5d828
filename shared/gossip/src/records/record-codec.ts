import { Fields } from '../wire/fields.ts';
import { PackReader } from '../wire/pack-reader.ts';
import { PackWriter } from '../wire/pack-writer.ts';
import { Refusal, refusing } from '../wire/refusal.ts';
import type { GossipRecord } from './record.ts';

/**
 * The prefix of all record messages: a byte that no serf message starts with (those use 0 to 9), so that each side
 * recognises messages that are not its own, and the version of the format.
 */
const ENVELOPE = Uint8Array.of(0x6b, 1);

/** RFC 1035: a DNS name has at most 255 bytes. */
const MAX_NAME_BYTES = 255;
const MAX_TYPE_BYTES = 16;
/** Room for dozens of addresses; a record must fit into a packet. */
const MAX_ADDRESSES_BYTES = 1024;
/** Enough for a thousand machines with several names each. */
const MAX_RECORDS = 20_000;
/** The year 6429. A stamp above it would leave no room for later ones. */
const MAX_MS = 2 ** 47;

/** Encodes one record as a user message. */
export function encodeRecord(record: GossipRecord): Uint8Array {
  return write(new PackWriter().append(ENVELOPE), record).finish();
}

/** Decodes the record in a user message; undefined if the message is not a record. */
export function decodeRecord(payload: Uint8Array): GossipRecord | Refusal | undefined {
  if (!isEnvelope(payload)) return undefined;
  return refusing(() => read(new PackReader(payload, ENVELOPE.length)));
}

/** Encodes all records for an exchange of states. */
export function encodeRecords(records: readonly GossipRecord[]): Uint8Array {
  const out = new PackWriter(64 + records.length * 96).append(ENVELOPE).map(1).key('Records').uint(records.length);
  for (const record of records) write(out, record);
  return out.finish();
}

/** Decodes the records in a user state; undefined if the state does not hold records. */
export function decodeRecords(userState: Uint8Array): readonly GossipRecord[] | Refusal | undefined {
  if (!isEnvelope(userState)) return undefined;
  return refusing(() => {
    const reader = new PackReader(userState, ENVELOPE.length);
    const count = new Fields(reader.map()).uint('Records', MAX_RECORDS);
    // A false count does no harm: the loop fails at the end of the bytes.
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
  if (name === '') throw new Refusal('malformed', 'a record has no name');
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
