import { pause } from '@kopsctl/agent/pause.ts';

/** It takes at most this long to notice that a member has gone, plus the time that its network takes to refuse. */
const ASK_EVERY_MS = 1_000;

/**
 * Runs work that asks a member and would try to reach it until its own time is over, as etcdctl does, even if the member has
 * gone meanwhile. The work is aborted as soon as the member no longer answers `asksStatus`.
 *
 * @throws what the work throws, or why the member did not answer
 */
export async function whileAnswering<T>(
  asksStatus: (signal: AbortSignal) => Promise<unknown>,
  work: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  everyMs = ASK_EVERY_MS,
): Promise<T> {
  const ended = new AbortController();
  const until = AbortSignal.any([signal, ended.signal]);
  const watch = async (): Promise<never> => {
    for (;;) {
      await pause(everyMs, until);
      await asksStatus(until);
    }
  };
  try {
    return await Promise.race([work(until), watch()]);
  } finally {
    ended.abort();
  }
}
