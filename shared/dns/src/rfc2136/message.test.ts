import dnsPacket from 'dns-packet';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { quoteStrings, unquoteStrings } from '../record-values.ts';
import type { RecordType } from '../zone.ts';
import { CLASS, decodeMessage, encodeMessage, OPCODE, TYPE } from './message.ts';
import { encodeName, readName } from './name.ts';
import { decodeValue, encodeValue } from './record-data.ts';
import { readTsig } from './tsig.ts';

const record = (type: RecordType, value: string) => ({
  name: 'a.example.com',
  type: TYPE[type],
  class: CLASS.IN,
  ttlSeconds: 60,
  data: encodeValue(type, value),
});

const VALUES: readonly (readonly [RecordType, string])[] = [
  ['A', '192.0.2.1'],
  ['AAAA', '2001:db8::1'],
  ['AAAA', '::'],
  ['AAAA', '::ffff:0:0'],
  ['AAAA', 'fd00:1:2:3:4:5:6:7'],
  ['CNAME', 'lb.example.net'],
  ['TXT', '"heritage=external-dns" "\\"x\\\\"'],
];

test.each(VALUES)('%s %s is decoded as it was encoded', (type, value) => {
  const message = encodeMessage({
    id: 7,
    opcode: OPCODE.query,
    question: { name: 'example.com', type: TYPE.AXFR },
    sections: [[record(type, value)], [], []],
  });
  const decoded = decodeMessage(message);
  expect(decoded.answers.map((answer) => decodeValue(type, answer, decoded))).toEqual([value]);
  // Another implementation decodes the same value.
  expect(dnsPacket.decode(message).answers).toMatchObject([{ name: 'a.example.com', type, ttl: 60 }]);
});

test('compressed names written by another implementation are decoded', () => {
  const bytes = Buffer.concat([encodeName('example.com'), Buffer.from([3, 0x77, 0x77, 0x57, 0xc0, 0])]);
  expect(readName(bytes, 13)).toEqual({ name: 'www.example.com', next: 19 });
});

test('a name that points at itself or forward is refused', () => {
  expect(() => readName(Buffer.from([0xc0, 0]), 0)).toThrow('points forward');
  expect(() => readName(Buffer.from([1, 0x61, 0xc0, 0]), 0)).toThrow('points forward');
});

test('a label with any bytes is decoded as it was encoded', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 63 }), (label) => {
      const lower = label.map((byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));
      const bytes = Buffer.concat([Buffer.from([label.length]), lower, Buffer.alloc(1)]);
      expect(encodeName(readName(bytes, 0).name)).toEqual(bytes);
    }),
  );
});

test('any strings of a TXT record are decoded as they were encoded', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 255 }), { minLength: 1, maxLength: 3 }), (strings) => {
      expect(unquoteStrings(quoteStrings(strings)).map((bytes) => [...bytes])).toEqual(
        strings.map((bytes) => [...bytes]),
      );
    }),
  );
});

test('any bytes are decoded or refused', () => {
  const read = (bytes: Buffer): unknown => {
    try {
      const message = decodeMessage(bytes);
      return message.tsig === undefined ? undefined : void readTsig(message.tsig, message);
    } catch (thrown) {
      return thrown;
    }
  };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      const thrown = read(Buffer.from(bytes));
      expect(thrown === undefined || thrown instanceof RangeError).toBe(true);
    }),
    { numRuns: often(2_000, 40_000) },
  );
});
