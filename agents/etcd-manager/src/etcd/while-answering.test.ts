import { once } from 'node:events';
import { expect, test } from 'vitest';
import { whileAnswering } from './while-answering.ts';

const none = new AbortController().signal;
/** Tries to reach a member until it is aborted. */
const trying = async (signal: AbortSignal): Promise<never> => {
  await once(signal, 'abort');
  throw new Error('aborted');
};

test('work ends as soon as the member no longer answers, with the reason', async () => {
  let answers = 3;
  const asksStatus = (): Promise<void> =>
    answers-- > 0 ? Promise.resolve() : Promise.reject(new Error('connect ECONNREFUSED'));
  let isAborted = false;
  const work = (signal: AbortSignal): Promise<never> => trying(signal).finally(() => (isAborted = true));
  await expect(whileAnswering(asksStatus, work, none, 0)).rejects.toThrow('connect ECONNREFUSED');
  await expect.poll(() => isAborted).toBe(true);
});

test('the member is not asked any more once the work has ended', async () => {
  let asked = 0;
  const asksStatus = (): Promise<void> => {
    asked += 1;
    return Promise.resolve();
  };
  const work = async (): Promise<string> => {
    await expect.poll(() => asked).toBeGreaterThan(1);
    return 'hash';
  };
  expect(await whileAnswering(asksStatus, work, none, 0)).toBe('hash');
  const atEnd = asked;
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(asked).toBe(atEnd);
});

test('what the work throws, and an abort from outside, are passed on', async () => {
  const answering = (): Promise<void> => Promise.resolve();
  const failing = (): Promise<never> => Promise.reject(new Error('future revision'));
  await expect(whileAnswering(answering, failing, none, 0)).rejects.toThrow('future revision');
  const outside = new AbortController();
  const running = whileAnswering(answering, trying, outside.signal, 0);
  outside.abort(new Error('the agent stops'));
  await expect(running).rejects.toThrow(/aborted|the agent stops/);
});
