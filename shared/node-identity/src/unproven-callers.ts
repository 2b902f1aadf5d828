/** A connection whose other side has not proven to be an authority. */
export interface UnprovenCaller {
  readonly address: string;
  /** Ends the connection; it must not call back. */
  readonly close: () => void;
}

/** Each authority has one connection at a time; another one comes where the first broke unnoticed. */
const MAX_OF_ADDRESS = 2;
const MAX = 64;

/**
 * Bounds the connections of strangers, so that they take little of this machine and do not keep authorities out. The
 * newest connection always has room: another one gives way, one of its own address if that has enough, otherwise one of
 * the address that has most. An authority needs a few milliseconds for its proof, and calls again.
 */
export class UnprovenCallers {
  /** In the order in which they came. */
  readonly #callers = new Set<UnprovenCaller>();

  enter(caller: UnprovenCaller): void {
    if (this.#of(caller.address).length >= MAX_OF_ADDRESS) this.#end(this.#of(caller.address)[0]);
    else if (this.#callers.size >= MAX) this.#end(this.#of(this.#busiest())[0]);
    this.#callers.add(caller);
  }

  /** It has proven to be an authority, or has ended. */
  leave(caller: UnprovenCaller): void {
    this.#callers.delete(caller);
  }

  #of(address: string): readonly UnprovenCaller[] {
    return [...this.#callers].filter((one) => one.address === address);
  }

  /** Where each address has as many, the one that came first. */
  #busiest(): string {
    const counts = new Map<string, number>();
    for (const { address } of this.#callers) counts.set(address, (counts.get(address) ?? 0) + 1);
    let most: readonly [address: string, count: number] = ['', 0];
    for (const entry of counts) if (entry[1] > most[1]) most = entry;
    return most[0];
  }

  #end(caller: UnprovenCaller | undefined): void {
    if (caller === undefined) throw new Error('callers are counted at an address that has none');
    this.leave(caller);
    caller.close();
  }
}
