import { expect, test } from 'vitest';
import type { Keyset, KeysetItem } from './keyset.ts';
import { distrusted, isRotatable, pendingPair, promoted, trusted, withPair } from './keyset-changes.ts';

const pair = (id: string, more: Partial<KeysetItem> = {}): KeysetItem => ({
  id,
  certificatePem: `certificate ${id}`,
  privateKeyPem: `key ${id}`,
  ...more,
});
const keyset = (primaryId: string, ...items: readonly KeysetItem[]): Keyset => ({
  name: 'kubernetes-ca',
  primaryId,
  items,
});

test('a new pair is trusted and does not sign, unless it is made primary', () => {
  const one = keyset('9', pair('9'));
  expect(withPair(one, pair('10'), false)).toEqual(keyset('9', pair('9'), pair('10')));
  expect(withPair(one, pair('10'), true).primaryId).toBe('10');
  expect(() => withPair(one, pair('9'), false)).toThrow('it is there already');
});

test('without an id the newest pair that can sign is promoted', () => {
  const three = keyset('9', pair('9'), pair('10'), { id: '11', certificatePem: 'only trusted' });
  expect(promoted(three, undefined).primaryId).toBe('10');
  expect(pendingPair(promoted(three, undefined))).toBeUndefined();
});

test('what cannot sign, is not trusted or is not there cannot be promoted', () => {
  const two = keyset('9', pair('9'), { id: '10', certificatePem: 'c' }, pair('11', { distrustedMs: 1 }));
  expect(() => promoted(two, undefined)).toThrow('no pair that can sign is newer');
  expect(() => promoted(two, '10')).toThrow('it has no private key');
  expect(() => promoted(two, '11')).toThrow('nobody trusts it');
  expect(() => promoted(two, '12')).toThrow('there is none with that id (there are 9, 10, 11)');
});

test('without ids all pairs that are older than the one that signs lose their trust, and newer ones keep it', () => {
  const three = keyset('10', pair('9'), pair('10'), pair('11'));
  expect(distrusted(three, [], 5).items.map(({ distrustedMs }) => distrustedMs)).toEqual([5, undefined, undefined]);
  expect(distrusted(distrusted(three, [], 5), [], 6)).toEqual(distrusted(three, [], 5));
});

test('the pair that signs is never distrusted', () => {
  expect(() => distrusted(keyset('9', pair('9'), pair('10')), ['9'], 5)).toThrow('it is the one that signs');
});

test('a pair can be trusted again', () => {
  const two = keyset('10', pair('9'), pair('10'));
  expect(trusted(distrusted(two, [], 5), ['9'])).toEqual(two);
});

test('authorities and the service-account keys can be rotated', () => {
  expect(
    ['kubernetes-ca', 'etcd-peers-ca-main', 'service-account', 'gossip-records-ca'].filter(isRotatable),
  ).toHaveLength(4);
  expect(['kubelet', 'catalogue'].filter(isRotatable)).toEqual([]);
});
