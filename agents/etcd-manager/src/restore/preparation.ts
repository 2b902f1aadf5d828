import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';

/** A backup that cannot be used does not become better; a store that is away for a moment comes back. */
const MOST_TRIES = 3;

/** This machine's long part of a phase of a restore, done while the steps of its plan go on. One at a time. */
export class Preparation {
  #job: { readonly key: string; readonly ended: AbortController; readonly done: Promise<void> } | undefined;
  #half: string | undefined;
  #failed = { key: '', count: 0, why: '' };
  #made: { readonly key: string; readonly result: string } | undefined;

  isUnderWay(key: string): boolean {
    return this.#job?.key === key;
  }

  /** It is under way, and its longer half is done. */
  isPastHalf(key: string): boolean {
    return this.isUnderWay(key) && this.#half === key;
  }

  /** What it has made, where it has a name. */
  made(key: string): string | undefined {
    return this.#made?.key === key ? this.#made.result : undefined;
  }

  /** Why it was given up after several tries. */
  failure(key: string): string | undefined {
    const { count, why } = this.#failed;
    return this.#failed.key === key && count >= MOST_TRIES ? why : undefined;
  }

  /** Begins, and calls `onNews` at its half and when it is done or has failed; not when it was ended by `end`. */
  start(
    key: string,
    work: (signal: AbortSignal, onHalf: () => void) => Promise<string | undefined>,
    { log, onNews }: { readonly log: Log; readonly onNews: () => void },
  ): void {
    if (this.#job !== undefined) throw new Error(`${this.#job.key} is under way already`);
    const ended = new AbortController();
    this.#half = undefined;
    const onHalf = (): void => {
      this.#half = key;
      onNews();
    };
    const run = async (): Promise<void> => {
      try {
        const result = await work(ended.signal, onHalf);
        if (result !== undefined) this.#made = { key, result };
      } catch (error) {
        if (ended.signal.aborted) return;
        const count = this.#failed.key === key ? this.#failed.count + 1 : 1;
        this.#failed = { key, count, why: messageOf(error) };
        log.warn(`could not ${key} (try ${count} of ${MOST_TRIES}): ${messageOf(error)}`);
      }
      this.#job = undefined;
      onNews();
    };
    this.#job = { key, ended, done: run() };
  }

  /** Ends what is under way and waits for its end. */
  async end(): Promise<void> {
    const job = this.#job;
    job?.ended.abort();
    await job?.done;
    this.#job = undefined;
  }
}
