import { crc32 } from 'node:zlib';
import { TYPE } from './message.ts';
import { Refusal } from './refusal.ts';

const HEADER_BYTES = 5;

/** Puts a CRC-32 (IEEE) before a message. Peers of protocol 5 and later read it. */
export function withChecksum(message: Uint8Array): Uint8Array {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = TYPE.hasCrc;
  header.writeUInt32BE(crc32(message), 1);
  return Buffer.concat([header, message]);
}

/** Verifies and removes the checksum. Throws Refusal if it does not match. */
export function checked(bytes: Uint8Array): Uint8Array {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < HEADER_BYTES) throw new Refusal('truncated', 'a checksum without its four bytes');
  const message = buffer.subarray(HEADER_BYTES);
  if (crc32(message) !== buffer.readUInt32BE(1)) throw new Refusal('bad-checksum', 'the checksum does not match');
  return message;
}
