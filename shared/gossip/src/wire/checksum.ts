import { crc32 } from 'node:zlib';
import { TYPE } from './message.ts';
import { Refusal } from './refusal.ts';

const HEADER_BYTES = 5;

/** A message with its CRC-32 (IEEE) before it, which peers of protocol 5 and later take. */
export function withChecksum(message: Uint8Array): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = TYPE.hasCrc;
  header.writeUInt32BE(crc32(message), 1);
  return Buffer.concat([header, message]);
}

/** What `withChecksum` was given. Throws Refusal where it is not that any more. */
export function checked(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER_BYTES) throw new Refusal('truncated', 'a checksum without its four bytes');
  const message = buffer.subarray(HEADER_BYTES);
  if (crc32(message) !== buffer.readUInt32BE(1)) throw new Refusal('bad-checksum', 'the checksum is another one');
  return message;
}
