import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DamagedEnvelope, parseEnvelope, printEnvelope, seal, unseal } from './envelope.ts';
import { sealedObjectAt } from './state-key.ts';

const OBJECT = { cluster: 'demo.example.com', path: 'pki/private/kubernetes-ca/keyset.yaml' };
const exactly = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const keys = fc.record({ bytes: exactly(32), nonce: exactly(12) });

const sealed = (plain: Uint8Array, data: { bytes: Uint8Array; nonce: Uint8Array }): Buffer =>
  printEnvelope(seal(plain, OBJECT, { name: 'the-key', wrapped: Buffer.from('wrapped'), data }));

const opens = (stored: Uint8Array, object = OBJECT, dataKey = new Uint8Array(32)): Uint8Array | undefined => {
  const envelope = parseEnvelope(stored);
  return envelope && unseal(envelope, object, dataKey);
};

test('an envelope opens where it was written', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), keys, (plain, data) => {
      expect(Buffer.from(opens(sealed(plain, data), OBJECT, data.bytes) ?? [])).toEqual(Buffer.from(plain));
    }),
  );
});

test('an envelope with any byte changed is refused, and never counts as an object in the clear', () => {
  const data = { bytes: new Uint8Array(32), nonce: new Uint8Array(12) };
  const stored = sealed(Buffer.from('content of a keyset'), data);
  // All of them: a base64 that decodes to the same bytes, or a space in place of the newline, would be found here.
  for (let at = 0; at < stored.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const changed = Buffer.from(stored);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << bit), at);
      expect
        .soft(() => {
          const envelope = parseEnvelope(changed);
          if (envelope === undefined) return;
          // The key that wraps the data key notices a change of the wrapped key, which has no influence here.
          if (!Buffer.from(envelope.wrappedKey).equals(Buffer.from('wrapped')))
            throw new DamagedEnvelope('wrapped key');
          unseal(envelope, OBJECT, data.bytes);
        }, `byte ${at}, bit ${bit}`)
        .toThrow(DamagedEnvelope);
    }
  }
});

test('an envelope that was cut off or added to is refused', () => {
  const stored = sealed(Buffer.from('content'), { bytes: new Uint8Array(32), nonce: new Uint8Array(12) });
  // The first bytes of one are not yet an envelope, and hold nothing of the object.
  for (let length = 40; length < stored.length; length += 1)
    expect(() => opens(stored.subarray(0, length))).toThrow(DamagedEnvelope);
  expect(() => opens(Buffer.concat([stored, Buffer.from('\n')]))).toThrow(DamagedEnvelope);
});

test('an envelope is refused at another path, in another cluster, and with another data key', () => {
  fc.assert(
    fc.property(keys, fc.string(), fc.string(), exactly(32), (data, path, cluster, other) => {
      fc.pre(path !== OBJECT.path && cluster !== OBJECT.cluster && !Buffer.from(other).equals(Buffer.from(data.bytes)));
      const stored = sealed(Buffer.from('content'), data);
      expect(() => opens(stored, { ...OBJECT, path }, data.bytes)).toThrow(DamagedEnvelope);
      expect(() => opens(stored, { ...OBJECT, cluster }, data.bytes)).toThrow(DamagedEnvelope);
      expect(() => opens(stored, OBJECT, other)).toThrow(DamagedEnvelope);
    }),
  );
});

test('the name of the key cannot be exchanged', () => {
  const data = { bytes: new Uint8Array(32), nonce: new Uint8Array(12) };
  const envelope = seal(Buffer.from('content'), OBJECT, { name: 'a', wrapped: Buffer.from('w'), data });
  expect(() => unseal({ ...envelope, key: 'b' }, OBJECT, data.bytes)).toThrow(DamagedEnvelope);
});

test.each(['apiVersion: kops.k8s.io/v1alpha2\nkind: Keyset\n', '{"Data":"AAAA"}\n', '', 'not even text \u0000'])(
  'an object in the clear is none: %j',
  (text) => {
    expect(parseEnvelope(Buffer.from(text))).toBeUndefined();
  },
);

test.each([
  ['demo.example.com/pki/private/kubernetes-ca/keyset.yaml', true],
  ['demo.example.com/secrets/gossip-key', true],
  ['demo.example.com/pki/issued/kubernetes-ca/keyset.yaml', false],
  ['demo.example.com/pki/ssh/public/admin/0', false],
  ['demo.example.com/addons/secrets/x', false],
  ['demo.example.com/secrets', false],
  ['secrets/x', false],
])('%s is sealed: %s', (path, isSealed) => {
  expect(sealedObjectAt(path) !== undefined).toBe(isSealed);
});
