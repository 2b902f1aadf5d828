import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { beforeAbort } from './before-abort.ts';

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);
beforeEach(() => process.on('unhandledRejection', note));
afterEach(() => process.off('unhandledRejection', note));

test('work that fails once nobody waits for it ends no process', async () => {
  const stopped = new AbortController();
  const { promise: late, reject } = Promise.withResolvers<never>();
  const waiting = beforeAbort(late, stopped.signal, 60_000);
  stopped.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  reject(new Error('late'));
  await expect(beforeAbort(Promise.reject(new Error('at once')), stopped.signal, 60_000)).rejects.toThrow('stopped');
  await setImmediate();
  expect(unhandled).toEqual([]);
});
