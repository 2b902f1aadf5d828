import { expect, test } from 'vitest';
import { patiently } from './patiently.ts';
import type { Seen } from './seen.ts';

/** What one look per second leads to, by why it fails; undefined where it does not. */
async function looks(patienceMs: number, failures: readonly (string | undefined)[]) {
  const seen: Seen = { nowMs: 0, groups: [], nodes: [], faults: [], etcds: [] };
  const [said, results]: [string[], string[]] = [[], []];
  let nowMs = 0;
  const look = patiently(
    {
      nowMs: () => nowMs,
      say: (line) => said.push(line),
      async observe() {
        const why = failures[nowMs / 1_000];
        if (why !== undefined) throw new Error(why);
        return seen;
      },
    },
    patienceMs,
  );
  for (; nowMs < failures.length * 1_000; nowMs += 1_000) {
    const result = await look(new AbortController().signal, []).catch((error: unknown) => String(error));
    results.push(typeof result === 'string' ? result : result === seen ? 'seen' : 'later');
  }
  return { said, results };
}

test.each([
  ['a look that fails is repeated', ['gone', undefined], ['later', 'seen']],
  ['a cause that stays ends it', ['gone', 'gone', 'gone'], ['later', 'later', 'Error: gone']],
  ['causes that take turns end it too', ['a', 'b', 'c'], ['later', 'later', 'Error: c']],
  ['one that succeeds begins it again', ['a', undefined, 'a', 'a'], ['later', 'seen', 'later', 'later']],
])('For two seconds, %s', async (_what, failures, results) => {
  expect((await looks(2_000, failures)).results).toEqual(results);
});

test('A cause is told once, and each other one', async () => {
  const { said } = await looks(60_000, ['a', 'a', 'b', undefined, 'b', 'b']);
  expect(said).toEqual(['trying again: a', 'trying again: b', 'trying again: b']);
});

test('A look that is cancelled is neither told nor repeated', async () => {
  const said: string[] = [];
  const observe = () => Promise.reject(new Error('the connection was closed'));
  const look = patiently({ observe, nowMs: () => 0, say: (line) => said.push(line) }, 60_000);
  await expect(look(AbortSignal.abort(new Error('the lock was lost')), [])).rejects.toThrow('the lock was lost');
  expect(said).toEqual([]);
});
