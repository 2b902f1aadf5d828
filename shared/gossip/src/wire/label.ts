import { TYPE } from './message.ts';
import { Refusal } from './refusal.ts';

/** memberlist LabelMaxSize: its length is one byte. */
export const MAX_LABEL_BYTES = 255;

/** The bytes that go before everything else where a cluster has a label; none where it has none. */
export function labelHeader(label: string): Uint8Array {
  const bytes = Buffer.from(label);
  if (bytes.length === 0) return bytes;
  if (bytes.length > MAX_LABEL_BYTES) throw new Error(`a label has at most ${MAX_LABEL_BYTES} bytes`);
  return Buffer.concat([Uint8Array.of(TYPE.hasLabel, bytes.length), bytes]);
}

/** What follows the label. Throws Refusal where it is another cluster's, or missing, or there should be none. */
export function withoutLabel(bytes: Uint8Array, label: string): Uint8Array {
  if (bytes[0] !== TYPE.hasLabel) {
    if (label !== '') throw new Refusal('wrong-label', 'there is no label');
    return bytes;
  }
  const length = bytes[1];
  if (length === undefined || length === 0 || bytes.length < 2 + length) {
    throw new Refusal('truncated', 'a label that is cut off');
  }
  const found = Buffer.from(bytes.subarray(2, 2 + length)).toString('utf8');
  if (found !== label) throw new Refusal('wrong-label', 'the label is that of another cluster');
  return bytes.subarray(2 + length);
}
