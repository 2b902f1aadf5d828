import { TYPE } from './message.ts';
import { Refusal } from './refusal.ts';

/** The number of parts is encoded in one byte. */
export const MAX_COMPOUND_PARTS = 255;
/** The message type and the number of parts. */
export const COMPOUND_HEADER_BYTES = 2;
/** The length of each part, in the header. */
export const COMPOUND_PART_BYTES = 2;

/** Joins several messages into one compound message. */
export function compound(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length > MAX_COMPOUND_PARTS) throw new Error(`${parts.length} parts are too many for one compound message`);
  const header = Buffer.alloc(COMPOUND_HEADER_BYTES + parts.length * COMPOUND_PART_BYTES);
  header[0] = TYPE.compound;
  header[1] = parts.length;
  for (const [index, part] of parts.entries()) {
    header.writeUInt16BE(part.length, COMPOUND_HEADER_BYTES + index * COMPOUND_PART_BYTES);
  }
  return Buffer.concat([header, ...parts]);
}

/** Splits a compound message. Throws Refusal if a part is truncated. */
export function compoundParts(message: Uint8Array): readonly Uint8Array[] {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const count = bytes[1];
  if (count === undefined) throw new Refusal('truncated', 'a compound message without its number of parts');
  let at = COMPOUND_HEADER_BYTES + count * COMPOUND_PART_BYTES;
  if (at > bytes.length) throw new Refusal('truncated', 'a compound message without the lengths of its parts');
  return Array.from({ length: count }, (_, index) => {
    const end = at + bytes.readUInt16BE(COMPOUND_HEADER_BYTES + index * COMPOUND_PART_BYTES);
    if (end > bytes.length) throw new Refusal('truncated', `part ${index} of a compound message is truncated`);
    const part = bytes.subarray(at, end);
    at = end;
    return part;
  });
}
