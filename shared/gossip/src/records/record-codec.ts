import { Fields } from '../wire/fields.ts';
import { PackReader } from '../wire/pack-reader.ts';
import { PackWriter } from '../wire/pack-writer.ts';
import { Refusal, refusing } from '../wire/refusal.ts';
import type { GossipRecord } from './record.ts';
import { fieldsOf, recordIn, RECORD_FIELDS } from './record-fields.ts';
import { readSigned, type SignedRecord, writeSigned } from './signed/signed-record.ts';

/**
 * The prefix of all record messages: a byte that no serf message starts with (those use 0 to 9), so that each side
 * recognises messages that are not its own, and the kind of message: an unsigned record or a state, or a signed record.
 */
const UNSIGNED = Uint8Array.of(0x6b, 1);
const SIGNED = Uint8Array.of(0x6b, 2);

/** Enough for a thousand machines with several names each. */
const MAX_RECORDS = 20_000;
/** Control planes and API servers have a few names each. */
const MAX_SIGNED_RECORDS = 4096;

/** The records of an exchange of states. */
export interface RecordState {
  readonly unsigned: readonly GossipRecord[];
  readonly signed: readonly SignedRecord[];
}

/** Encodes one record as a user message. */
export function encodeRecord(record: GossipRecord): Uint8Array {
  return write(new PackWriter().append(UNSIGNED), record).finish();
}

/** Encodes one signed record as a user message. */
export function encodeSignedRecord(signed: SignedRecord): Uint8Array {
  return writeSigned(new PackWriter(1024).append(SIGNED), signed).finish();
}

/** Decodes the record in a user message; undefined if the message is not a record. */
export function decodeRecord(payload: Uint8Array): GossipRecord | SignedRecord | Refusal | undefined {
  if (startsWith(payload, UNSIGNED)) return refusing(() => read(new PackReader(payload, UNSIGNED.length)));
  if (startsWith(payload, SIGNED)) return refusing(() => readSigned(new PackReader(payload, SIGNED.length)));
  return undefined;
}

/** Encodes all records for an exchange of states. */
export function encodeRecords({ unsigned, signed }: RecordState): Uint8Array {
  const out = new PackWriter(64 + unsigned.length * 96 + signed.length * 768).append(UNSIGNED);
  out.map(2).key('Records').uint(unsigned.length).key('Signed').uint(signed.length);
  for (const record of unsigned) write(out, record);
  for (const record of signed) writeSigned(out, record);
  return out.finish();
}

/** Decodes the records in a user state; undefined if the state does not hold records. */
export function decodeRecords(userState: Uint8Array): RecordState | Refusal | undefined {
  if (!startsWith(userState, UNSIGNED)) return undefined;
  return refusing(() => {
    const reader = new PackReader(userState, UNSIGNED.length);
    const counts = new Fields(reader.map());
    return {
      unsigned: several(counts.uint('Records', MAX_RECORDS), () => read(reader)),
      signed: several(counts.uint('Signed', MAX_SIGNED_RECORDS), () => readSigned(reader)),
    };
  });
}

/** A false count does no harm: reading fails at the end of the bytes. */
function several<T>(count: number, readOne: () => T): readonly T[] {
  const all: T[] = [];
  for (let index = 0; index < count; index += 1) all.push(readOne());
  return all;
}

function startsWith(bytes: Uint8Array, prefix: Uint8Array): boolean {
  return prefix.every((byte, index) => bytes[index] === byte);
}

function write(out: PackWriter, record: GossipRecord): PackWriter {
  return fieldsOf(out.map(RECORD_FIELDS), record);
}

function read(reader: PackReader): GossipRecord {
  return recordIn(new Fields(reader.map()));
}
