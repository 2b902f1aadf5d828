import { expect, test } from 'vitest';
import { spareBytes } from './volume-room.ts';

const GIB = 1024 ** 3;

test('a tenth of a volume is left to etcd, and of a large one what etcd may need, however large it is', () => {
  expect(spareBytes(5 * GIB, 20 * GIB)).toBe(3 * GIB);
  expect(spareBytes(1 * GIB, 20 * GIB)).toBe(-1 * GIB);
  expect(spareBytes(24 * GIB, 250 * GIB)).toBe(16 * GIB);
});
