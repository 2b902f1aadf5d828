import type { Wake } from '@kopsctl/agent/wake.ts';
import { Wakes } from '@kopsctl/agent/wakes.ts';

/** The time from taking the lease to losing it. */
export interface Term {
  readonly epoch: number;
  /** The process that took it. */
  readonly process: string;
  /** Aborted when the lease is lost, or could not be renewed in time. */
  readonly signal: AbortSignal;
}

/** Whether this machine leads, that is, acts for the whole etcd cluster. Only `reconcileLeadership` writes it. */
export class Leadership {
  #term: (Term & { readonly ended: AbortController }) | undefined;
  #epoch = -1;
  readonly #wakes = new Wakes();

  get term(): Term | undefined {
    return this.#term;
  }

  get isHeld(): boolean {
    return this.#term !== undefined;
  }

  /** The newest epoch that this machine knows of, of any leader; -1 before the first. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Rings `wake` whenever a term begins, on this machine or another. */
  ringOnChange(wake: Wake): void {
    this.#wakes.add(wake);
  }

  begin(epoch: number, process: string): void {
    const ended = new AbortController();
    this.#term = { epoch, process, ended, signal: ended.signal };
    this.see(epoch);
  }

  /** Another machine leads. A new leader counts no machine as alive until that machine has written its status. */
  see(epoch: number): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#wakes.ring();
  }

  end(why: string): void {
    this.#term?.ended.abort(new Error(why));
    this.#term = undefined;
  }
}
