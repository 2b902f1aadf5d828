import { constants, createGzip, type Gzip } from 'node:zlib';
import type { SnapshotSource } from './snapshot-source.ts';

/** A block loses less than a hundredth to its neighbours that it cannot refer to. */
const BLOCK_BYTES = 256 * 1024;
/** Larger pieces pile up to more memory before Node collects them: 50 MiB more with four times the size. */
const PIECE_BYTES = 64 * 1024;
/** Two processors are kept busy by three, since one always waits for its turn to write; Node's pool has four threads. */
const LANES = 3;
/** Half the time of the default for a few percent more bytes. */
const LEVEL = 1;

/**
 * A snapshot as gzip. Its blocks are compressed side by side and follow each other as members of one gzip file, which
 * gunzip and Go's reader take for one (RFC 1952, 2.2). Memory does not grow with it.
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
        if (first === undefined) throw new Error('a lane is idle or busy');
        yield* await first.pieces;
        ({ lane } = first);
      }
      const bytesRead = await snapshot.read(lane.block);
      if (bytesRead === 0 && !isEmpty) break;
      isEmpty = false;
      const pieces = lane.compress(bytesRead);
      // Awaited in its turn; until then a failure has nobody who hears it.
      pieces.catch(() => undefined);
      busy.push({ lane, pieces });
      if (bytesRead === 0) break;
    }
    for (const { pieces } of busy) yield* await pieces;
  } finally {
    for (const lane of lanes) lane.end();
  }
}

/** One compressor, one block at a time, on a thread of Node's pool. */
class Lane {
  readonly block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  // Node documents reset() for all of zlib's streams (zlib.reset()); its types have it for two of them.
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
