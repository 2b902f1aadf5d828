import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';

/** Enough for a store that is away for a moment. A damaged backup stays damaged. */
const MOST_TRIES = 3;

/** Runs this machine's long part of a phase in the background, while the restore goes on with other steps. One at a time. */
export class Preparation {
  #job: { readonly key: string; readonly ended: AbortController; readonly done: Promise<void> } | undefined;
  #half: string | undefined;
  #failed = { key: '', count: 0, why: '' };
  #made: { readonly key: string; readonly result: string } | undefined;

  /** Whether the work with this key is under way. */
  isUnderWay(key: string): boolean {
    return this.#job?.key === key;
  }

  /** Whether the work is under way and its longer half is done. */
  isPastHalf(key: string): boolean {
    return this.isUnderWay(key) && this.#half === key;
  }

  /** The name of what the work has made; undefined until then. */
  made(key: string): string | undefined {
    return this.#made?.key === key ? this.#made.result : undefined;
  }

  /** Why the work was given up after several attempts; undefined if it was not. */
  failure(key: string): string | undefined {
    const { count, why } = this.#failed;
    return this.#failed.key === key && count >= MOST_TRIES ? why : undefined;
  }

  /** Begins work. Calls `onNews` at its half and when it is done or has failed, but not when `end` has ended it. */
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
        log.warn('a part of a restore failed', { work: key, error, attempt: count, attempts: MOST_TRIES });
      }
      this.#job = undefined;
      onNews();
    };
    this.#job = { key, ended, done: run() };
  }

  /** Stops the work and waits until it has stopped. */
  async end(): Promise<void> {
    const job = this.#job;
    job?.ended.abort();
    await job?.done;
    this.#job = undefined;
  }
}
