import { expect, test } from 'vitest';
import { Revisions } from './revisions.ts';

const never = new AbortController().signal;

test('a reader with an old revision returns immediately, a reader with the current one waits for the next change', async () => {
  const revisions = new Revisions('life');
  await revisions.newerThan(undefined, 60_000, never);
  await revisions.newerThan('former-life-7', 60_000, never);
  let isAnswered = false;
  const waiting = revisions.newerThan(revisions.current, 60_000, never).then(() => (isAnswered = true));
  await Promise.resolve();
  expect(isAnswered).toBe(false);
  revisions.changed();
  await waiting;
  expect(revisions.current).toBe('life-1');
});

test('a reader that disconnects stops waiting', async () => {
  const revisions = new Revisions('life');
  const gone = new AbortController();
  const waiting = revisions.newerThan(revisions.current, 60_000, gone.signal);
  gone.abort();
  await waiting;
  expect(revisions.current).toBe('life-0');
});
