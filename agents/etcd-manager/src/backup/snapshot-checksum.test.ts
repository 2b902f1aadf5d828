import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { SnapshotChecksum } from './snapshot-checksum.ts';

const database = Buffer.alloc(1024, 'page');
const snapshot = Buffer.concat([database, createHash('sha256').update(database).digest()]);

function faultOf(bytes: Buffer, chunkBytes: number): string | undefined {
  const checksum = new SnapshotChecksum();
  for (let at = 0; at < bytes.byteLength; at += chunkBytes) checksum.update(bytes.subarray(at, at + chunkBytes));
  return checksum.fault();
}

test.each([1, 7, 31, 32, 33, 500, 2000])('a complete snapshot has no fault, in pieces of %i bytes', (chunkBytes) => {
  expect(faultOf(snapshot, chunkBytes)).toBeUndefined();
});

test('a snapshot that was changed or cut short, or is empty, has a fault', () => {
  const changed = Buffer.from(snapshot);
  changed.writeUInt8(1, 700);
  expect(faultOf(changed, 100)).toMatch(/^its content has the SHA-256 [0-9a-f]{64}, but etcd recorded [0-9a-f]{64}$/);
  expect(faultOf(snapshot.subarray(0, 1000), 100)).toBe('it is not a complete snapshot (1000 bytes)');
  expect(faultOf(Buffer.alloc(0), 100)).toBe('it is not a complete snapshot (0 bytes)');
});
