import { checked, withChecksum } from './checksum.ts';
import { compound, compoundParts } from './compound.ts';
import { compressed, decompressed } from './compress.ts';
import { decodeMessage } from './decode-message.ts';
import { decrypted, encrypted } from './encrypt.ts';
import { labelHeader, withoutLabel } from './label.ts';
import { TYPE, type Message } from './message.ts';
import { Refusal, refusing } from './refusal.ts';
import { primaryKey, type Secrecy } from './secrecy.ts';

/** memberlist UDPBufferSize: fits an Ethernet frame, even inside a tunnel. */
export const MAX_PACKET_BYTES = 1400;
/** More than a peer puts into one packet. Uncompressed, a UDP packet holds at most 64 KiB. */
const MAX_UNPACKED_BYTES = 256 * 1024;
/** LZW does not make smaller payloads shorter: its first code alone takes more than a byte. */
const MIN_COMPRESSED_BYTES = 64;
/** memberlist nests two layers: a checksum or compression around a compound message. */
const MAX_LAYERS = 4;

export interface PacketForm {
  readonly compress: boolean;
  /** Only for receivers of protocol 5 or later. */
  readonly checksum: boolean;
  /** 12 random bytes, used once. */
  readonly nonce: Uint8Array;
}

/** Encrypts messages into a packet. */
export function sealPacket(messages: readonly Uint8Array[], secrecy: Secrecy, form: PacketForm): Uint8Array {
  const [only] = messages;
  let payload = messages.length === 1 && only !== undefined ? only : compound(messages);
  if (form.compress && payload.length >= MIN_COMPRESSED_BYTES) {
    const smaller = compressed(payload);
    if (smaller.length < payload.length) payload = smaller;
  }
  if (form.checksum) payload = withChecksum(payload);
  const authenticated = Buffer.from(secrecy.label);
  const sealed = encrypted(payload, { key: primaryKey(secrecy), nonce: form.nonce, authenticated });
  return secrecy.label === '' ? sealed : Buffer.concat([labelHeader(secrecy.label), sealed]);
}

/** Decodes one message. Throws Refusal. */
export type Decode = (bytes: Uint8Array) => Message;

export interface OpenedPacket {
  readonly messages: readonly Message[];
  /** The parts that could not be decoded. The other messages are still valid. */
  readonly refusals: readonly Refusal[];
}

/** Decrypts and decodes a packet. Never throws: parts that cannot be decoded become refusals. */
export function openPacket(bytes: Uint8Array, secrecy: Secrecy, decode: Decode = decodeMessage): OpenedPacket {
  const payload = refusing(() =>
    decrypted(withoutLabel(bytes, secrecy.label), secrecy.keys, Buffer.from(secrecy.label)),
  );
  if (payload instanceof Refusal) return { messages: [], refusals: [payload] };
  return readMessages(payload, decode);
}

/** Decodes a decrypted payload through all its layers. */
export function readMessages(payload: Uint8Array, decode: Decode = decodeMessage): OpenedPacket {
  const messages: Message[] = [];
  const refusals: Refusal[] = [];
  const budget = { bytes: MAX_UNPACKED_BYTES };
  const take = (part: Uint8Array, layers: number): void => {
    const refusal = refusing(() => read(part, layers));
    if (refusal instanceof Refusal) refusals.push(refusal);
  };
  const read = (part: Uint8Array, layers: number): undefined => {
    if (layers > MAX_LAYERS) throw new Refusal('too-deep', `a message has more than ${MAX_LAYERS} layers`);
    switch (part[0]) {
      case TYPE.compound:
        for (const inner of compoundParts(part)) take(inner, layers + 1);
        break;
      case TYPE.compress: {
        const inner = decompressed(part, budget.bytes);
        budget.bytes -= inner.length;
        take(inner, layers + 1);
        break;
      }
      case TYPE.hasCrc:
        take(checked(part), layers + 1);
        break;
      default:
        messages.push(decode(part));
    }
  };
  take(payload, 0);
  return { messages, refusals };
}
