import { expect, it } from 'vitest';
import { encodeMessage } from './encode-message.ts';
import type { Message } from './message.ts';
import { NewsDecoder } from './news-decoder.ts';
import { Refusal } from './refusal.ts';

const suspect = (node: string): Message => ({ kind: 'suspect', incarnation: 3, node, from: 'a' });
const ping: Message = { kind: 'ping', seqNo: 1, node: 'b' };

it('decodes a repeated broadcast only once', () => {
  const decoder = new NewsDecoder();
  const first = decoder.decode(encodeMessage(suspect('b')));
  expect(first).toEqual(suspect('b'));
  expect(decoder.decode(encodeMessage(suspect('b')))).toBe(first);
  expect(decoder.decode(encodeMessage(suspect('c')))).toEqual(suspect('c'));
});

it('decodes other messages each time, and refuses invalid bytes', () => {
  const decoder = new NewsDecoder();
  const first = decoder.decode(encodeMessage(ping));
  expect(first).toEqual(ping);
  expect(decoder.decode(encodeMessage(ping))).not.toBe(first);
  expect(() => decoder.decode(encodeMessage(suspect('b')).subarray(0, 9))).toThrow(Refusal);
});

it('keeps working after more broadcasts than it remembers', () => {
  const decoder = new NewsDecoder();
  for (let count = 0; count < 3000; count += 1) {
    expect(decoder.decode(encodeMessage(suspect(`n${count}`)))).toEqual(suspect(`n${count}`));
  }
  expect(decoder.decode(encodeMessage(suspect('n0')))).toEqual(suspect('n0'));
});
