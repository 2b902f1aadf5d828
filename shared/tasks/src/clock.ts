/** Time as the engine sees it. */
export interface Clock {
  /** Unix time in milliseconds. */
  nowMs(): number;
  /** Resolves after `ms`, or as soon as the signal aborts; never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sleep: async (ms, signal) => {
    if (signal.aborted) return;
    const slept = Promise.withResolvers<void>();
    const timer = setTimeout(slept.resolve, ms);
    const wake = () => slept.resolve();
    signal.addEventListener('abort', wake);
    await slept.promise;
    signal.removeEventListener('abort', wake);
    clearTimeout(timer);
  },
};
