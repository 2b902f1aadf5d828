import { open, stat } from 'node:fs/promises';

/** What is backed up: the bytes of a snapshot of etcd. */
export interface SnapshotSource {
  readonly bytes: number;
  /** From the beginning, for each try anew. */
  open(): Promise<OpenSnapshot>;
}

export interface OpenSnapshot extends AsyncDisposable {
  /** Fills a block from its start with what comes next, or a part of it. Resolves with how much; 0: that was all. */
  read(block: Buffer): Promise<number>;
}

/** A snapshot that etcd has given, as a file. */
export async function snapshotFile(path: string): Promise<SnapshotSource> {
  const { size } = await stat(path);
  return {
    bytes: size,
    async open() {
      const file = await open(path);
      return {
        read: async (block) => (await file.read(block, 0, block.byteLength)).bytesRead,
        [Symbol.asyncDispose]: () => file.close(),
      };
    },
  };
}
