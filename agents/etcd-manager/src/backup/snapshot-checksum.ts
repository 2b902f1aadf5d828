import { createHash } from 'node:crypto';

const CHECKSUM_BYTES = 32;
/** A database of etcd is whole pages, so what a snapshot has beyond is its checksum (etcd v3_snapshot.go: saveDB). */
const PAGE_PART_BYTES = 512;

/** Compares a snapshot with the SHA-256 that etcd has put at its end, while it flows by. */
export class SnapshotChecksum {
  readonly #hash = createHash('sha256');
  /** The last bytes so far: they may be the checksum. */
  #held: Uint8Array = Buffer.alloc(0);
  #bytes = 0;

  update(chunk: Uint8Array): void {
    this.#bytes += chunk.byteLength;
    const isShort = chunk.byteLength < CHECKSUM_BYTES;
    const bytes = isShort ? Buffer.concat([this.#held, chunk]) : chunk;
    if (!isShort) this.#hash.update(this.#held);
    const end = Math.max(0, bytes.byteLength - CHECKSUM_BYTES);
    this.#hash.update(bytes.subarray(0, end));
    // A copy: whoever made the chunk may use it again.
    this.#held = Buffer.from(bytes.subarray(end));
  }

  /** What is wrong with all that flowed by; undefined: nothing. Asked once, at its end. */
  fault(): string | undefined {
    if (this.#bytes % PAGE_PART_BYTES !== CHECKSUM_BYTES) return `it is no whole snapshot (${this.#bytes} bytes)`;
    const found = this.#hash.digest('hex');
    const wanted = Buffer.from(this.#held).toString('hex');
    return found === wanted ? undefined : `its content has the SHA-256 ${found}, and etcd gave it ${wanted}`;
  }
}
