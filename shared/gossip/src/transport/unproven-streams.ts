/** As many streams as memberlist serves at one time (maxPushPullRequests). */
const MAX_STREAMS = 128;
/** A peer has a few at one time: an exchange of states, a join, a ping. */
const MAX_STREAMS_OF_ADDRESS = 8;
/** Several states of the largest clusters. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Peers of one network send their whole message sooner. */
const LONG_MS = 1000;

/** A stream whose first message has not been decrypted yet: its sender may not have the key. */
export interface UnprovenStream {
  readonly address: string;
  readonly sinceMs: number;
  bytes: number;
  /** Ends the stream; it must not call back. */
  readonly close: (why: string) => void;
}

/**
 * Bounds what strangers can take: streams, and the bytes in them. If there is no room, a stream of the address that
 * uses most of it gives way, the oldest first, so that strangers make room for peers and not the other way round.
 */
export class UnprovenStreams {
  /** In the order in which they came. */
  readonly #streams = new Set<UnprovenStream>();
  readonly #ofAddress = new Map<string, number>();
  #bytes = 0;

  /** Counts a new stream; false where there is no room for it. */
  enter(stream: UnprovenStream): boolean {
    if ((this.#ofAddress.get(stream.address) ?? 0) >= MAX_STREAMS_OF_ADDRESS) {
      this.#end(this.#oldest(stream.address), 'its address has too many streams that prove no key');
    }
    if (this.#streams.size >= MAX_STREAMS) {
      const [busiest, streams] = largest(this.#ofAddress);
      const oldest = this.#oldest(busiest);
      // Where each address has one, they may all be peers that join at once.
      if (streams === 1 && oldest !== undefined && stream.sinceMs - oldest.sinceMs < LONG_MS) return false;
      this.#end(oldest, 'too many streams prove no key');
    }
    this.#streams.add(stream);
    this.#ofAddress.set(stream.address, (this.#ofAddress.get(stream.address) ?? 0) + 1);
    return true;
  }

  /** Counts more bytes that are kept of a stream. */
  grew(stream: UnprovenStream, bytes: number): void {
    if (!this.#streams.has(stream)) return;
    stream.bytes += bytes;
    this.#bytes += bytes;
    while (this.#bytes > MAX_BYTES) {
      const held = new Map<string, number>();
      for (const one of this.#streams) held.set(one.address, (held.get(one.address) ?? 0) + one.bytes);
      const [heaviest] = largest(held);
      this.#end(this.#oldest(heaviest, true), 'streams that prove no key take too much memory');
    }
  }

  /** The stream has proved the key, or has ended. */
  leave(stream: UnprovenStream): void {
    if (!this.#streams.delete(stream)) return;
    this.#bytes -= stream.bytes;
    const left = (this.#ofAddress.get(stream.address) ?? 1) - 1;
    if (left === 0) this.#ofAddress.delete(stream.address);
    else this.#ofAddress.set(stream.address, left);
  }

  #oldest(address: string, holdsBytes = false): UnprovenStream | undefined {
    for (const one of this.#streams) if (one.address === address && (one.bytes > 0 || !holdsBytes)) return one;
    return undefined;
  }

  #end(stream: UnprovenStream | undefined, why: string): void {
    if (stream === undefined) throw new Error('streams are counted at an address that has none');
    this.leave(stream);
    stream.close(why);
  }
}

function largest(counts: ReadonlyMap<string, number>): readonly [address: string, count: number] {
  let most: readonly [string, number] = ['', 0];
  for (const entry of counts) if (entry[1] > most[1]) most = entry;
  return most;
}
