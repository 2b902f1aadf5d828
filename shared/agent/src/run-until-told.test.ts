import { once } from 'node:events';
import { expect, test } from 'vitest';
import { makeLog } from './log.ts';
import { runUntilTold } from './run-until-told.ts';

const withLog = () => {
  const lines: string[] = [];
  return { lines, log: makeLog((line) => lines.push(line), false, 'agent') };
};

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops the work, and its listener stays until the work has ended',
  async (name) => {
    const { lines, log } = withLog();
    const before = process.listenerCount(name);
    let during = 0;
    const running = runUntilTold(async (signal) => {
      await once(signal, 'abort');
      // Libraries such as signal-exit (in execa) kill the process when no other listener is left.
      during = process.listenerCount(name);
      throw signal.reason;
    }, log);
    process.emit(name);
    expect(await running).toBe(1);
    expect(during).toBe(before + 1);
    expect(process.listenerCount(name)).toBe(before);
    expect(lines).toEqual(['agent: stopped before it was done; the next run continues from here\n']);
  },
);

test('a failure is logged, and the exit code is 1', async () => {
  const { lines, log } = withLog();
  expect(await runUntilTold(() => Promise.reject(new Error('disk full')), log)).toBe(1);
  expect(lines).toEqual(['agent: failed error="disk full"\n']);
});
