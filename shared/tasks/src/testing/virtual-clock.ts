import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly wakeAtMs: number;
  readonly wake: () => void;
}

/** A clock for tests: time passes only while every task sleeps, and then at once. */
export interface VirtualClock extends Clock {
  /** Lets time pass until the work is done. Fails when all that is left waits for nothing. */
  until<T>(work: Promise<T>): Promise<T>;
}

export function virtualClock(startMs = 0): VirtualClock {
  let nowMs = startMs;
  const sleepers = new Set<Sleeper>();

  const sleep = async (ms: number, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return;
    const slept = Promise.withResolvers<void>();
    const sleeper = { wakeAtMs: nowMs + ms, wake: () => slept.resolve() };
    sleepers.add(sleeper);
    signal.addEventListener('abort', sleeper.wake);
    await slept.promise;
    signal.removeEventListener('abort', sleeper.wake);
    sleepers.delete(sleeper);
  };

  const until = async <T>(work: Promise<T>): Promise<T> => {
    let isDone = false;
    const end = () => {
      isDone = true;
    };
    work.then(end, end);
    for (;;) {
      // All that can happen now happens before the next turn of the event loop.
      const turn = Promise.withResolvers<void>();
      setImmediate(turn.resolve);
      await turn.promise;
      if (isDone) return work;
      const next = [...sleepers].sort((a, b) => a.wakeAtMs - b.wakeAtMs)[0];
      if (next === undefined) throw new Error('no task sleeps and nothing happens: the work would never end');
      nowMs = next.wakeAtMs;
      next.wake();
    }
  };
  return { nowMs: () => nowMs, sleep, until };
}
