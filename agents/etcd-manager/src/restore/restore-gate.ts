import type { EtcdGate } from './restore-step.ts';

/**
 * What a restore allows other loops to do to the local etcd. Only `reconcileRestores` writes it. When `epoch` has changed,
 * everything that a loop remembers about the etcd cluster (its marker, its token) may be that of the cluster before the
 * restore, and has to be read again.
 */
export class RestoreGate {
  /** Until the store has been read, a running etcd keeps running. */
  #etcd: EtcdGate = 'keep';
  #isBystander = false;
  #epoch = 0;
  #cause = '';
  #listener: (() => void) | undefined;

  get etcd(): EtcdGate {
    return this.#etcd;
  }

  /** The machine takes no part in the restore that is under way. */
  get isBystander(): boolean {
    return this.#isBystander;
  }

  get epoch(): number {
    return this.#epoch;
  }

  /**
   * @param cause identifies one phase of one restore
   * @param isBystander see `isBystander`
   */
  set(etcd: EtcdGate, cause: string, isBystander = false): void {
    this.#isBystander = isBystander;
    if (etcd === this.#etcd && cause === this.#cause) return;
    this.#etcd = etcd;
    this.#cause = cause;
    this.#epoch += 1;
    this.#listener?.();
  }

  /** Calls `listener` whenever the gate changes. There is one listener, `reconcileCluster`. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }
}
