import { createHash } from 'node:crypto';

const CHECKSUM_BYTES = 32;
/** A database consists of whole pages, and the checksum of a snapshot follows them (etcd v3_snapshot.go: saveDB). */
const PAGE_PART_BYTES = 512;

/** Compares a streamed snapshot with the SHA-256 that etcd has put at its end. */
export class SnapshotChecksum {
  readonly #hash = createHash('sha256');
  /** The last bytes so far, which may be the checksum. */
  #held: Uint8Array = Buffer.alloc(0);
  #bytes = 0;

  update(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    const isShort = chunk.byteLength < CHECKSUM_BYTES;
    const bytes = isShort ? Buffer.concat([this.#held, chunk]) : chunk;
    if (!isShort) this.#hash.update(this.#held);
    const end = Math.max(0, bytes.byteLength - CHECKSUM_BYTES);
    this.#hash.update(bytes.subarray(0, end));
    // A copy, because the caller may reuse the chunk.
    this.#held = Buffer.from(bytes.subarray(end));
  }

  /** What is wrong with the snapshot; undefined if nothing is. Call it once, after the last chunk. */
  fault(): string | undefined {
    if (this.#bytes % PAGE_PART_BYTES !== CHECKSUM_BYTES) return `it is not a complete snapshot (${this.#bytes} bytes)`;
    const found = this.#hash.digest('hex');
    const wanted = Buffer.from(this.#held).toString('hex');
    return found === wanted ? undefined : `its content has the SHA-256 ${found}, but etcd recorded ${wanted}`;
  }
}
