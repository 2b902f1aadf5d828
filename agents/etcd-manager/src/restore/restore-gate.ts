import type { EtcdGate } from './restore-step.ts';

/**
 * What a restore lets others do to the etcd here. One writer, the reconciler of restores; read by whoever starts etcd or
 * changes its members. Whenever `epoch` has changed, what was remembered of the etcd cluster (its marker, its token)
 * may be that of the cluster before the restore, and is read anew.
 */
export class RestoreGate {
  /** Until the store was asked: what runs is kept running. */
  #etcd: EtcdGate = 'keep';
  #epoch = 0;
  #cause = '';
  #listener: (() => void) | undefined;

  get etcd(): EtcdGate {
    return this.#etcd;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /** `cause` tells one phase of one restore from any other. */
  set(etcd: EtcdGate, cause: string): void {
    if (etcd === this.#etcd && cause === this.#cause) return;
    this.#etcd = etcd;
    this.#cause = cause;
    this.#epoch += 1;
    this.#listener?.();
  }

  /** Rings whenever something changes. There is one listener, the loop that keeps the etcd. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }
}
