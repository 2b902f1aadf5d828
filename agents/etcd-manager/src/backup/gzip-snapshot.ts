import { constants, createGzip, type Gzip } from 'node:zlib';
import type { SnapshotSource } from './snapshot-source.ts';

/** Blocks cannot refer to each other. With this size that costs less than a hundredth of the compression. */
const BLOCK_BYTES = 256 * 1024;
/** Larger pieces use more memory before Node collects them: 50 MiB more with four times the size. */
const PIECE_BYTES = 64 * 1024;
/** Three lanes keep two processors busy, because one lane always waits for its turn to write. Node's pool has four threads. */
const LANES = 3;
/** Half the time of the default level, for a few percent more bytes. */
const LEVEL = 1;

/**
 * Compresses a snapshot with gzip. Its blocks are compressed in parallel and become members of one gzip file, which
 * gunzip and Go's reader decompress as one (RFC 1952, 2.2). Memory does not grow with the snapshot.
 */
export async function* gzipSnapshot(source: SnapshotSource, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  await using snapshot = await source.open();
  const lanes = Array.from({ length: LANES }, () => new Lane());
  const idle = [...lanes];
  const busy: { readonly lane: Lane; readonly pieces: Promise<readonly Buffer[]> }[] = [];
  let isEmpty = true;
  try {
    for (;;) {
      signal.throwIfAborted();
      let lane = idle.pop();
      if (lane === undefined) {
        const first = busy.shift();
        if (first === undefined) throw new Error('every lane is either idle or busy');
        yield* await first.pieces;
        ({ lane } = first);
      }
      const bytesRead = await snapshot.read(lane.block);
      if (bytesRead === 0 && !isEmpty) break;
      isEmpty = false;
      const pieces = lane.compress(bytesRead);
      // The promise is awaited in its turn; until then a rejection must not count as unhandled.
      pieces.catch(() => undefined);
      busy.push({ lane, pieces });
      if (bytesRead === 0) break;
    }
    for (const { pieces } of busy) yield* await pieces;
  } finally {
    for (const lane of lanes) lane.end();
  }
}

/** Compresses one block at a time on a thread of Node's pool. */
class Lane {
  readonly block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  // Node documents reset() for every stream of zlib (zlib.reset()), but @types/node declares it for two of them only.
  readonly #gzip = createGzip({ level: LEVEL, chunkSize: PIECE_BYTES }) as Gzip & { reset(): void };
  #pieces: Buffer[] = [];

  constructor() {
    this.#gzip.on('data', (piece: Buffer) => this.#pieces.push(piece));
  }

  async compress(bytes: number): Promise<readonly Buffer[]> {
    this.#pieces = [];
    await new Promise<void>((resolve, reject) => {
      this.#gzip.once('error', reject);
      this.#gzip.write(this.block.subarray(0, bytes));
      this.#gzip.flush(constants.Z_FINISH, () => {
        this.#gzip.off('error', reject);
        resolve();
      });
    });
    this.#gzip.reset();
    return this.#pieces;
  }

  end(): void {
    this.#gzip.destroy();
  }
}
