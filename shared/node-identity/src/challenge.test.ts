import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Agreed, challengeOf } from './challenge.ts';

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const agreed: fc.Arbitrary<Agreed> = fc.record({
  cluster: fc.string(),
  nonce: bytes(32),
  channel: bytes(32),
  machineKey: fc.uint8Array({ maxLength: 100 }),
});
const textOf = ({ cluster, nonce, channel, machineKey }: Agreed): string =>
  JSON.stringify([cluster, ...[nonce, channel, machineKey].map((part) => Buffer.from(part).toString('hex'))]);

test('what was signed for one cluster, nonce, connection or key is for no other', () => {
  fc.assert(
    fc.property(
      agreed,
      agreed,
      fc.subarray(['cluster', 'nonce', 'channel', 'machineKey'] as const),
      (one, other, same) => {
        const mixed = { ...other, ...Object.fromEntries(same.map((part) => [part, one[part]])) };
        expect(challengeOf(mixed).equals(challengeOf(one))).toBe(textOf(mixed) === textOf(one));
      },
    ),
  );
});

test('no byte moves from one part to the next', () => {
  const nonce = Buffer.from('nonce');
  const parts = { channel: Buffer.from('channel'), machineKey: Buffer.from('key') };
  const one = challengeOf({ cluster: 'demo', nonce, ...parts });
  expect(challengeOf({ cluster: 'demon', nonce: nonce.subarray(1), ...parts })).not.toEqual(one);
});

test('machines of older releases sign the same', () => {
  const part = (text: string): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(text));
    return Buffer.concat([length, Buffer.from(text)]);
  };
  const written = ['kops-attest-1', 'demo', 'nonce', 'channel', 'key'].map(part);
  const [nonce, channel, machineKey] = ['nonce', 'channel', 'key'].map((text) => Buffer.from(text)) as [
    Buffer,
    Buffer,
    Buffer,
  ];
  const challenge = challengeOf({ cluster: 'demo', nonce, channel, machineKey });
  expect(challenge).toEqual(createHash('sha256').update(Buffer.concat(written)).digest());
});
