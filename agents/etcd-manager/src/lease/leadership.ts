import type { Wake } from '@kopsctl/agent/wake.ts';

/** One time of leading, from taking the lease to losing it. */
export interface Term {
  readonly epoch: number;
  /** Aborted when the lease is lost, or could not be renewed in time. */
  readonly signal: AbortSignal;
}

/** Whether this machine acts for the whole etcd cluster. Written by `reconcileLeadership` alone. */
export class Leadership {
  #term: (Term & { readonly ended: AbortController }) | undefined;
  #epoch = -1;
  readonly #wakes = new Set<Wake>();

  get term(): Term | undefined {
    return this.#term;
  }

  get isHeld(): boolean {
    return this.#term !== undefined;
  }

  /** The newest one that this machine knows of; -1: none. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Rings whenever another term has begun, this machine's or another one's. */
  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  begin(epoch: number): void {
    const ended = new AbortController();
    this.#term = { epoch, ended, signal: ended.signal };
    this.see(epoch);
  }

  /** Whoever leads now. A new one knows of nobody until they speak up. */
  see(epoch: number): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    for (const wake of this.#wakes) wake.ring();
  }

  end(why: string): void {
    this.#term?.ended.abort(new Error(why));
    this.#term = undefined;
  }
}
