import { pause } from './pause.ts';

/**
 * A bell between the sources of events and the one loop that acts on them. A ring while the loop is busy is kept, so no
 * event is missed; several such rings count as one. A loop that may be started again declares it with `using`, so that the
 * sources of events forget it when the loop ends.
 */
export class Wake implements Disposable {
  #rung = false;
  #listener: (() => void) | undefined;
  readonly #ends: (() => void)[] = [];

  ring(): void {
    this.#rung = true;
    this.#listener?.();
  }

  /** Calls `end` when the loop has ended. */
  onEnd(end: () => void): void {
    this.#ends.push(end);
  }

  [Symbol.dispose](): void {
    for (const end of this.#ends.splice(0)) end();
  }

  /**
   * Resolves with true when rung, or with false after `fallbackMs` (jittered by a tenth, so that the machines of a
   * cluster do not poll at the same moment).
   *
   * @throws the signal's reason when aborted.
   */
  async wait(fallbackMs: number, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    if (!this.#rung) {
      const done = new AbortController();
      this.#listener = () => done.abort();
      try {
        await pause(jittered(fallbackMs), AbortSignal.any([signal, done.signal]));
      } catch {
        signal.throwIfAborted();
      } finally {
        this.#listener = undefined;
      }
    }
    const rung = this.#rung;
    this.#rung = false;
    return rung;
  }
}

/** The delay plus or minus a tenth. */
export function jittered(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() * 0.2));
}
