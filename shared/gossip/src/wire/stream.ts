import { compressed, decompressed } from './compress.ts';
import { decodeMessage, decodePushPull, decodeStreamUser } from './decode-message.ts';
import { ENCRYPTION_BYTES, decrypted, encrypted } from './encrypt.ts';
import { labelHeader, withoutLabel } from './label.ts';
import { TYPE, type Ack, type ErrorMessage, type Ping, type PushPull, type User } from './message.ts';
import { Refusal } from './refusal.ts';
import { primaryKey, type Secrecy } from './secrecy.ts';

/**
 * The largest message of a stream: the state of more than 20,000 members. memberlist takes 20 MiB, but a message is
 * authenticated only as a whole, so anybody can make this host buffer as much.
 */
const MAX_STREAM_BYTES = 4 * 1024 * 1024;
/** The largest decompressed message. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;
/** The message type and the length. */
const HEADER_BYTES = 5;

export type StreamMessage = PushPull | Ping | Ack | User | ErrorMessage;

export interface StreamForm {
  readonly compress: boolean;
  /** 12 random bytes, used once. */
  readonly nonce: Uint8Array;
  /** The side that dials sends the label first. The answer has no label header, but authenticates the label. */
  readonly isDialler: boolean;
}

/** Encrypts one message for a stream. */
export function sealStream(message: Uint8Array, secrecy: Secrecy, form: StreamForm): Uint8Array {
  const payload = form.compress ? compressed(message) : message;
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = TYPE.encrypt;
  header.writeUInt32BE(payload.length + ENCRYPTION_BYTES, 1);
  const authenticated = Buffer.concat([header, Buffer.from(secrecy.label)]);
  const sealed = encrypted(payload, { key: primaryKey(secrecy), nonce: form.nonce, authenticated });
  return Buffer.concat([...(form.isDialler ? [labelHeader(secrecy.label)] : []), header, sealed]);
}

/** The message is not complete; at least `wantedBytes` bytes are needed. */
export interface Incomplete {
  readonly kind: 'incomplete';
  readonly wantedBytes: number;
}

/**
 * Decodes the message at the start of a stream. Throws Refusal as soon as the bytes cannot become a message, so that no
 * peer can make this host buffer data that it will refuse.
 */
export function openStream(
  bytes: Uint8Array,
  secrecy: Secrecy,
  from: 'dialler' | 'answerer',
): StreamMessage | Incomplete {
  if (bytes.length === 0) return incomplete(1);
  let at = 0;
  if (from === 'dialler') {
    const labelBytes = bytes[0] === TYPE.hasLabel ? 2 + (bytes[1] ?? 0) : 0;
    if (bytes.length < labelBytes) return incomplete(labelBytes);
    at = bytes.length - withoutLabel(bytes, secrecy.label).length;
  }
  if (bytes.length === at) return incomplete(at + HEADER_BYTES);
  if (bytes[at] !== TYPE.encrypt) throw new Refusal('not-encrypted', 'the stream is not encrypted');
  if (bytes.length < at + HEADER_BYTES) return incomplete(at + HEADER_BYTES);
  const header = Buffer.from(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES);
  const length = header.readUInt32BE(1);
  if (length > MAX_STREAM_BYTES)
    throw new Refusal('too-large', `the stream announces ${length} bytes, more than ${MAX_STREAM_BYTES}`);
  const sealedAt = at + HEADER_BYTES;
  if (bytes.length < sealedAt + length) return incomplete(sealedAt + length);
  const authenticated = Buffer.concat([header, Buffer.from(secrecy.label)]);
  return readStream(decrypted(bytes.subarray(sealedAt, sealedAt + length), secrecy.keys, authenticated));
}

function incomplete(wantedBytes: number): Incomplete {
  return { kind: 'incomplete', wantedBytes };
}

/** Decodes a decrypted payload. Throws Refusal. */
export function readStream(payload: Uint8Array): StreamMessage {
  const bytes = payload[0] === TYPE.compress ? decompressed(payload, MAX_UNPACKED_BYTES) : payload;
  switch (bytes[0]) {
    case TYPE.pushPull:
      return decodePushPull(bytes);
    case TYPE.user:
      return { kind: 'user', payload: decodeStreamUser(bytes) };
    default: {
      const message = decodeMessage(bytes);
      if (message.kind === 'ping' || message.kind === 'ack' || message.kind === 'err') return message;
      throw new Refusal('unknown-type', `a message of kind ${message.kind} is not allowed in a stream`);
    }
  }
}
