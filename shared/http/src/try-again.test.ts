import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { expect, test } from 'vitest';
import { tryAgain } from './try-again.ts';

const pace = { retries: 2, minTimeout: 1, factor: 1, maxTimeout: 1 };
const signal = new AbortController().signal;
const failure = new ActionableError({ what: 'store it', why: 'the store is away', next: 'wait' });

test('any failure that passes is tried again, and each retry is reported', async () => {
  const retries: unknown[] = [];
  const once = async (attempt: number) => {
    if (attempt < 3) throw failure;
    return attempt;
  };
  const trying = { pace, isPassing: () => true, onRetry: (...retry: unknown[]) => retries.push(retry) };
  expect(await tryAgain(once, trying, signal)).toBe(3);
  expect(retries).toEqual([
    [failure, 1],
    [failure, 1],
  ]);
});

test('a failure that does not pass, or one too many, is thrown as it is and not reported as a retry', async () => {
  let retries = 0;
  const once = () => Promise.reject(failure);
  const trying = (isPassing: boolean) => ({ pace, isPassing: () => isPassing, onRetry: () => (retries += 1) });
  await expect(tryAgain(once, trying(false), signal)).rejects.toBe(failure);
  expect(retries).toBe(0);
  await expect(tryAgain(once, trying(true), signal)).rejects.toBe(failure);
  expect(retries).toBe(pace.retries);
});
