import { open, stat } from 'node:fs/promises';
import { SnapshotChecksum } from './snapshot-checksum.ts';

/** What is backed up: the bytes of a snapshot of etcd. */
export interface SnapshotSource {
  readonly bytes: number;
  /** What is read is compared with the checksum at its end, or that was made of it. */
  readonly isChecked: boolean;
  /** From the beginning, for each try anew. */
  open(): Promise<OpenSnapshot>;
}

export interface OpenSnapshot extends AsyncDisposable {
  /** Fills a block from its start with what comes next, or a part of it. Resolves with how much; 0: that was all. */
  read(block: Buffer): Promise<number>;
}

/** The snapshot is not what etcd has read: another try would be given the same. */
export class DamagedSnapshotError extends Error {
  override readonly name = 'DamagedSnapshotError';
}

/** A snapshot that etcd has given, as a file. Its last read throws DamagedSnapshotError where the checksum is another one. */
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

/** Any file. */
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
