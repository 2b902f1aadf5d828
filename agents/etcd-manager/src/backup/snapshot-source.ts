import { open, stat } from 'node:fs/promises';
import { SnapshotChecksum } from './snapshot-checksum.ts';

/** The bytes of a snapshot, to be backed up. */
export interface SnapshotSource {
  readonly bytes: number;
  /** Whether reading verifies the checksum at the end of the snapshot, or computes it. */
  readonly isChecked: boolean;
  /** Starts reading from the beginning. Each attempt to store the snapshot opens it again. */
  open(): Promise<OpenSnapshot>;
}

export interface OpenSnapshot extends AsyncDisposable {
  /** Reads the next bytes into the start of a block. Resolves with their number; 0 at the end. */
  read(block: Buffer): Promise<number>;
}

/** The snapshot is not what etcd has sent. Another attempt would read the same bytes. */
export class DamagedSnapshotError extends Error {
  override readonly name = 'DamagedSnapshotError';
}

/** A snapshot file that etcd has sent. The last read throws DamagedSnapshotError if the checksum does not match. */
export async function checkedSnapshot(path: string): Promise<SnapshotSource> {
  const source = await snapshotFile(path);
  return {
    bytes: source.bytes,
    isChecked: true,
    async open() {
      const opened = await source.open();
      const checksum = new SnapshotChecksum();
      return {
        async read(block) {
          const bytesRead = await opened.read(block);
          checksum.update(block.subarray(0, bytesRead));
          const fault = bytesRead === 0 ? checksum.fault() : undefined;
          if (fault !== undefined) throw new DamagedSnapshotError(`the snapshot is damaged: ${fault}`);
          return bytesRead;
        },
        [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
      };
    },
  };
}

/** Any file, without a checksum. */
export async function snapshotFile(path: string): Promise<SnapshotSource> {
  const { size } = await stat(path);
  return {
    bytes: size,
    isChecked: false,
    async open() {
      const file = await open(path);
      return {
        read: async (block) => (await file.read(block, 0, block.byteLength)).bytesRead,
        [Symbol.asyncDispose]: () => file.close(),
      };
    },
  };
}
