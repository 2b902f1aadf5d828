import type { Fields } from '../wire/fields.ts';
import type { PackWriter } from '../wire/pack-writer.ts';
import { Refusal } from '../wire/refusal.ts';
import type { GossipRecord } from './record.ts';

/** RFC 1035: a DNS name has at most 255 bytes. */
const MAX_NAME_BYTES = 255;
const MAX_TYPE_BYTES = 16;
/** Room for dozens of addresses; a record must fit into a packet. */
const MAX_ADDRESSES_BYTES = 1024;
/** The year 6429. A stamp above it would leave no room for later ones. */
export const MAX_MS = 2 ** 47;

/** The number of fields that `fieldsOf` writes. */
export const RECORD_FIELDS = 7;

export function fieldsOf(out: PackWriter, record: GossipRecord): PackWriter {
  out.key('Name').text(record.name).key('Type').text(record.type).key('Owner').text(record.owner);
  out.key('Addresses').text(record.addresses.join(',')).key('Ms').uint(record.stamp.ms);
  return out.key('Count').uint(record.stamp.count).key('Deleted').bool(record.isDeleted);
}

/** Throws Refusal. */
export function recordIn(fields: Fields): GossipRecord {
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
