import { expect, it } from 'vitest';
import type { Alive } from '../wire/message.ts';
import { beyondBound } from './incarnation-bound.ts';

const DATE_MS = Date.UTC(2026, 10, 22);
const largest = 2 ** 16 + DATE_MS / 1000;
const VERSIONS = { protocolMin: 1, protocolMax: 5, protocol: 2, delegateMin: 0, delegateMax: 0, delegate: 0 };
const alive = (incarnation: number): Alive => ({
  kind: 'alive',
  node: 'a',
  address: '10.0.0.1',
  port: 1,
  meta: new Uint8Array(),
  versions: VERSIONS,
  incarnation,
});

it.each(['suspect', 'dead'] as const)('the answer to the largest %s that is taken is taken as well', (kind) => {
  const accusation = (incarnation: number) => ({ kind, node: 'a', incarnation, from: 'b' }) as const;
  expect(beyondBound(accusation(largest), DATE_MS)).toBeUndefined();
  expect(beyondBound(accusation(largest + 1), DATE_MS)?.message).toContain(`incarnation ${largest + 1}`);
  expect(beyondBound(alive(largest + 1), DATE_MS)).toBeUndefined();
});

it('the largest alive message that is taken can be exceeded after some seconds', () => {
  expect(beyondBound(alive(largest + 16), DATE_MS)).toBeUndefined();
  expect(beyondBound(alive(largest + 17), DATE_MS)?.reason).toBe('out-of-bounds');
  expect(beyondBound(alive(largest + 17), DATE_MS + 1000)).toBeUndefined();
});

it('the bound leaves room on the wire for eighty years', () => {
  expect(largest + 17 + 79 * 365 * 24 * 60 * 60).toBeLessThan(2 ** 32);
});

it('incarnations in exchanged states have the same bound, and other messages none', () => {
  const { node: name, kind: _kind, ...rest } = alive(largest + 17);
  expect(beyondBound({ ...rest, name, state: 'alive' }, DATE_MS)?.reason).toBe('out-of-bounds');
  expect(beyondBound({ ...rest, name, state: 'left', incarnation: largest + 1 }, DATE_MS)?.reason).toBe(
    'out-of-bounds',
  );
  expect(beyondBound({ kind: 'nack', seqNo: 2 ** 32 - 1 }, DATE_MS)).toBeUndefined();
});
