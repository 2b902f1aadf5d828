import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { often } from '@kopsctl/test-suite/long.ts';
import { compound } from './compound.ts';
import { compressed } from './compress.ts';
import { withChecksum } from './checksum.ts';
import { decrypted, encrypted } from './encrypt.ts';
import { encodeMessage, encodePushPull } from './encode-message.ts';
import { type Message, TYPE } from './message.ts';
import { PackWriter } from './pack-writer.ts';
import { openPacket, readMessages, sealPacket } from './packet.ts';
import { Refusal, refusing } from './refusal.ts';
import type { Secrecy } from './secrecy.ts';
import { openStream, readStream, sealStream } from './stream.ts';

const key = (fill: number, bytes = 32): Uint8Array => new Uint8Array(bytes).fill(fill);
const nonce = key(9, 12);
const secrecy: Secrecy = { keys: [key(1)], label: '' };
const labelled: Secrecy = { keys: [key(1)], label: 'demo.example.com' };
const ping: Message = { kind: 'ping', seqNo: 1, node: 'b' };
const suspect: Message = { kind: 'suspect', incarnation: 3, node: 'b', from: 'a' };
const user: Message = { kind: 'user', payload: Buffer.from('x'.repeat(300)) };
const form = { compress: true, checksum: true, nonce };

describe('a packet', () => {
  it.each([
    ['one message', [ping], { ...form, compress: false, checksum: false }],
    ['several messages, compressed and with a checksum', [ping, suspect, user], form],
  ])('of %s is opened as it was sealed', (_, messages, as) => {
    for (const cluster of [secrecy, labelled]) {
      const sealed = sealPacket(messages.map(encodeMessage), cluster, as);
      expect(openPacket(sealed, cluster)).toEqual({ messages, refusals: [] });
    }
  });

  it('is compressed only if that makes it smaller', () => {
    const noise = { kind: 'user', payload: Uint8Array.from({ length: 200 }, (_, index) => index) } as const;
    const sealed = (message: Message): number => sealPacket([encodeMessage(message)], secrecy, form).length;
    expect(sealed(noise)).toBe(sealPacket([encodeMessage(noise)], secrecy, { ...form, compress: false }).length);
    expect(sealed(user)).toBeLessThan(100);
  });

  it('is opened with any key of the keyring, and refused without its key', () => {
    const sealed = sealPacket([encodeMessage(ping)], secrecy, form);
    expect(openPacket(sealed, { ...secrecy, keys: [key(2, 16), key(1)] }).messages).toEqual([ping]);
    expect(openPacket(sealed, { ...secrecy, keys: [key(2)] }).refusals).toMatchObject([{ reason: 'wrong-key' }]);
  });

  it('of another cluster is refused, even with the same key', () => {
    const sealed = sealPacket([encodeMessage(ping)], labelled, form);
    expect(openPacket(sealed, secrecy).refusals).toMatchObject([{ reason: 'wrong-label' }]);
    expect(openPacket(sealed, { ...labelled, label: 'other' }).refusals).toMatchObject([{ reason: 'wrong-label' }]);
    const unlabelled = sealed.subarray(2 + labelled.label.length);
    expect(openPacket(unlabelled, secrecy).refusals).toMatchObject([{ reason: 'wrong-key' }]);
  });

  it('that is not encrypted is refused', () => {
    expect(openPacket(withChecksum(encodeMessage(ping)), secrecy).refusals).toHaveLength(1);
    expect(openPacket(encodeMessage(suspect), secrecy).refusals).toMatchObject([{ reason: 'not-encrypted' }]);
  });

  it('with one invalid message still yields the valid ones', () => {
    const payload = compound([encodeMessage(ping), Uint8Array.of(99), encodeMessage(suspect)]);
    const opened = readMessages(payload);
    expect(opened.messages).toEqual([ping, suspect]);
    expect(opened.refusals).toMatchObject([{ reason: 'unknown-type' }]);
  });

  it('with a wrong checksum is refused', () => {
    const bytes = Buffer.from(withChecksum(encodeMessage(ping)));
    bytes[2] = (bytes[2] ?? 0) ^ 1;
    expect(readMessages(bytes).refusals).toMatchObject([{ reason: 'bad-checksum' }]);
  });

  it('is refused if it decompresses to too much or nests too deep', () => {
    const bomb = compressed(new Uint8Array(8 * 1024 * 1024));
    expect(readMessages(bomb).refusals).toMatchObject([{ reason: 'too-large' }]);
    const nested = Array.from({ length: 20 }).reduce<Uint8Array>((inner) => compressed(inner), encodeMessage(ping));
    expect(readMessages(nested).refusals).toMatchObject([{ reason: 'too-deep' }]);
    const many = compressed(compound(Array.from({ length: 200 }, () => compressed(new Uint8Array(60_000)))));
    expect(readMessages(many).refusals.some((refusal) => refusal.reason === 'too-large')).toBe(true);
  });

  it('of arbitrary bytes never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(openPacket(bytes, labelled).messages).toEqual([]);
        expect(openPacket(Uint8Array.of(1, ...bytes), secrecy).messages).toEqual([]);
        const payloads = [
          bytes,
          withChecksum(bytes),
          compressed(bytes),
          ...[7, 9].map((type) => Buffer.of(type, ...bytes)),
        ];
        for (const payload of payloads) expect(readMessages(payload)).toHaveProperty('refusals');
      }),
      { numRuns: often(2_000, 40_000) },
    );
  });
});

describe('encryption', () => {
  it.each([16, 24, 32])('supports keys of %i bytes in both versions', (bytes) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.constantFrom(0 as const, 1 as const), (message, version) => {
        const authenticated = Buffer.from('label');
        const sealed = encrypted(message, { key: key(5, bytes), nonce, authenticated, version });
        expect([...decrypted(sealed, [key(5, bytes)], authenticated)]).toEqual([...message]);
        expect(refusing(() => decrypted(sealed, [key(5, bytes)], Buffer.from('other')))).toBeInstanceOf(Refusal);
      }),
      { numRuns: often(50, 1_000) },
    );
  });
});

describe('a stream', () => {
  const state = { kind: 'pushPull', nodes: [], join: true, userState: Buffer.from('users') } as const;
  const sides = [
    [secrecy, true],
    [secrecy, false],
    [labelled, true],
    [labelled, false],
  ] as const;

  it.each(sides)('is read as soon as it is complete, and not before (%o, dialling: %s)', (cluster, isDialler) => {
    const sealed = sealStream(encodePushPull(state), cluster, { compress: true, nonce, isDialler });
    const from = isDialler ? 'dialler' : 'answerer';
    for (let length = 0; length < sealed.length; length += 1) {
      const opened = openStream(sealed.subarray(0, length), cluster, from);
      expect(opened.kind === 'incomplete' && opened.wantedBytes > length && opened.wantedBytes <= sealed.length).toBe(
        true,
      );
    }
    expect(openStream(sealed, cluster, from)).toMatchObject({ kind: 'pushPull', join: true });
  });

  it('with a wrong label is refused before anything else is read', () => {
    const sealed = sealStream(encodePushPull(state), labelled, { compress: true, nonce, isDialler: true });
    const start = sealed.subarray(0, 30);
    const other = refusing(() => openStream(start, { ...labelled, label: 'other' }, 'dialler'));
    expect(other).toMatchObject({ reason: 'wrong-label' });
  });

  it('that announces more than the limit is refused at once', () => {
    const huge = Buffer.from('0a7fffffff', 'hex');
    expect(refusing(() => openStream(huge, secrecy, 'dialler'))).toMatchObject({ reason: 'too-large' });
  });

  it('carries user messages', () => {
    // On a stream, the length of the payload comes first.
    const message = new PackWriter().byte(TYPE.user).map(1).key('UserMsgLen').uint(5).append(Buffer.from('hello'));
    const sealed = sealStream(message.finish(), secrecy, {
      compress: false,
      nonce,
      isDialler: true,
    });
    expect(openStream(sealed, secrecy, 'dialler')).toEqual({ kind: 'user', payload: Buffer.from('hello') });
  });

  it('of arbitrary bytes is decoded, incomplete or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(6, 8, 9, 0, 2), (bytes, type) => {
        const isNoMessage = (result: { readonly kind: string } | Refusal): boolean =>
          result instanceof Refusal || result.kind === 'incomplete';
        expect(refusing(() => openStream(bytes, labelled, 'dialler'))).toSatisfy(isNoMessage);
        const framed = Uint8Array.of(10, 0, 0, 0, ...bytes);
        expect(refusing(() => openStream(framed, secrecy, 'answerer'))).toSatisfy(isNoMessage);
        const payload = Uint8Array.of(type, ...bytes);
        expect(refusing(() => readStream(payload))).toBeInstanceOf(Object);
        expect(refusing(() => readStream(compressed(payload)))).toBeInstanceOf(Object);
      }),
      { numRuns: often(2_000, 40_000) },
    );
  });
});
