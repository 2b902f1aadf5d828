import { messageOf } from '@kopsctl/errors/actionable-error.ts';
import type { Log } from '@kopsctl/agent/log.ts';

/** A backup that cannot be used does not become better; a store that is away for a moment comes back. */
const MOST_TRIES = 3;

/** This machine's long part of a restore, done while the steps of its plan go on. One at a time. */
export class Preparation {
  #job: { readonly token: string; readonly ended: AbortController; readonly done: Promise<void> } | undefined;
  #failed = { token: '', count: 0, why: '' };

  isUnderWay(token: string): boolean {
    return this.#job?.token === token;
  }

  /** Why it was given up after several tries. */
  failure(token: string): string | undefined {
    const { count, why } = this.#failed;
    return this.#failed.token === token && count >= MOST_TRIES ? why : undefined;
  }

  /** Begins, and calls `onEnd` when it is done or has failed; not when it was ended by `end`. */
  start(
    token: string,
    work: (signal: AbortSignal) => Promise<void>,
    { log, onEnd }: { readonly log: Log; readonly onEnd: () => void },
  ): void {
    if (this.#job !== undefined) throw new Error(`the restore to ${this.#job.token} is being prepared already`);
    const ended = new AbortController();
    const run = async (): Promise<void> => {
      try {
        await work(ended.signal);
      } catch (error) {
        if (ended.signal.aborted) return;
        const count = this.#failed.token === token ? this.#failed.count + 1 : 1;
        this.#failed = { token, count, why: messageOf(error) };
        log.warn(`could not restore (try ${count} of ${MOST_TRIES}): ${messageOf(error)}`);
      }
      this.#job = undefined;
      onEnd();
    };
    this.#job = { token, ended, done: run() };
  }

  /** Ends what is under way and waits for its end. */
  async end(): Promise<void> {
    const job = this.#job;
    job?.ended.abort();
    await job?.done;
    this.#job = undefined;
  }
}
