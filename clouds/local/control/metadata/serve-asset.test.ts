import { expect, test } from 'vitest';
import { byteRange } from './serve-asset.ts';

test.each([
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=40-', { start: 40, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=10-1000', { start: 10, end: 99 }],
  ['bytes=-5', { start: 95, end: 99 }],
  ['bytes=-500', { start: 0, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
] as const)('%s of 100 bytes is %o', (header, range) => {
  expect(byteRange(header, 100)).toEqual(range);
});

test.each([undefined, 'bytes=-', 'bytes=20-10', 'bytes=0-1,5-6', 'lines=1-2'])(
  '%s is answered with the whole file',
  (header) => {
    expect(byteRange(header, 100)).toBeUndefined();
  },
);
