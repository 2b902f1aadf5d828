import { TYPE } from './message.ts';
import { Refusal } from './refusal.ts';

/** memberlist LabelMaxSize: the length is encoded in one byte. */
const MAX_LABEL_BYTES = 255;

/** The header of a cluster with a label; empty without one. */
export function labelHeader(label: string): Uint8Array {
  const bytes = Buffer.from(label);
  if (bytes.length === 0) return bytes;
  if (bytes.length > MAX_LABEL_BYTES) throw new Error(`a label must have at most ${MAX_LABEL_BYTES} bytes`);
  return Buffer.concat([Uint8Array.of(TYPE.hasLabel, bytes.length), bytes]);
}

/** Verifies and removes the label. Throws Refusal if the label is wrong, missing or unexpected. */
export function withoutLabel(bytes: Uint8Array, label: string): Uint8Array {
  if (bytes[0] !== TYPE.hasLabel) {
    if (label !== '') throw new Refusal('wrong-label', 'the label is missing');
    return bytes;
  }
  const length = bytes[1];
  if (length === undefined || length === 0 || bytes.length < 2 + length) {
    throw new Refusal('truncated', 'the label is truncated');
  }
  const found = Buffer.from(bytes.subarray(2, 2 + length)).toString('utf8');
  if (found !== label) throw new Refusal('wrong-label', 'the label belongs to another cluster');
  return bytes.subarray(2 + length);
}
