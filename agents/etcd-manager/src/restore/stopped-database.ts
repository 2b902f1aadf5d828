import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { SnapshotSource } from '../backup/snapshot-source.ts';
import { withBoltFile } from './bolt/bolt-file.ts';
import { revisionIn } from './raise-revision.ts';

const CHECKSUM_BYTES = 32;

/** The last revision in the database of a stopped etcd. */
export async function stoppedRevision(databasePath: string): Promise<number> {
  return withBoltFile(databasePath, revisionIn, 'r');
}

/**
 * The snapshot that a stopped etcd would have sent: the used pages of its database (bbolt tx.go, WriteTo), followed by their
 * SHA-256 (etcd maintenance.go, Snapshot). An etcd that was stopped with SIGTERM has written everything to that file.
 */
export async function stoppedSnapshot(databasePath: string): Promise<SnapshotSource> {
  const usedBytes = await withBoltFile(databasePath, ({ usedBytes: bytes }) => Promise.resolve(bytes), 'r');
  return {
    bytes: usedBytes + CHECKSUM_BYTES,
    isChecked: true,
    async open() {
      const file = await open(databasePath);
      const hash = createHash('sha256');
      let position = 0;
      let hasEnded = false;
      return {
        async read(block) {
          if (hasEnded) return 0;
          if (position === usedBytes) {
            hasEnded = true;
            return hash.digest().copy(block);
          }
          const wanted = Math.min(block.byteLength, usedBytes - position);
          const { bytesRead } = await file.read(block, 0, wanted, position);
          if (bytesRead === 0) throw new Error(`${databasePath} ends at ${position} of ${usedBytes} bytes`);
          hash.update(block.subarray(0, bytesRead));
          position += bytesRead;
          return bytesRead;
        },
        [Symbol.asyncDispose]: () => file.close(),
      };
    },
  };
}
