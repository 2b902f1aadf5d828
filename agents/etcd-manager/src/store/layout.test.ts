import { expect, test } from 'vitest';
import { parseMarker, printMarker } from './layout.ts';

const NOW_MS = Date.parse('2018-01-30T01:02:03.456Z');

test('the marker holds a time in nanoseconds for kops, and token and members for this etcd-manager', () => {
  const text = printMarker({ token: 'T', members: ['a', 'b'] }, NOW_MS);
  expect(text).toBe('{"timestamp":1517274123456000000,"token":"T","members":["a","b"]}\n');
  expect(parseMarker(text)).toEqual({ token: 'T', members: ['a', 'b'] });
});

test('a marker of kops names neither a token nor members', () => {
  expect(parseMarker('{"timestamp":1517274123456000000}')).toEqual({ members: [] });
});

test('a damaged marker is not a marker', () => {
  expect(parseMarker('{"timestamp":15172741')).toBeUndefined();
  expect(parseMarker('')).toBeUndefined();
  expect(parseMarker('7')).toBeUndefined();
});
