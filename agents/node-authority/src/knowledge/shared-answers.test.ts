import { expect, test } from 'vitest';
import { sharedAnswers } from './shared-answers.ts';

function begin() {
  const asked: string[] = [];
  const clock = { nowMs: 0 };
  let fails = false;
  const ask = async (about: string): Promise<string> => {
    asked.push(about);
    if (fails) throw new Error('away');
    return `${about} ${asked.length}`;
  };
  return { asked, clock, fail: (does: boolean) => (fails = does), know: sharedAnswers(ask, 5000, () => clock.nowMs) };
}

test('all that want to know the same at the same time are told by one question', async () => {
  const { asked, know } = begin();
  expect(await Promise.all([know('a'), know('b'), know('a')])).toEqual(['a 1', 'b 2', 'a 1']);
  expect(asked).toEqual(['a', 'b']);
});

test('an answer that is older than it may be is asked for again', async () => {
  const { clock, know } = begin();
  await know('a');
  clock.nowMs = 5000;
  expect(await know('a')).toBe('a 1');
  clock.nowMs = 5001;
  expect(await know('a')).toBe('a 2');
});

test('an error is not kept', async () => {
  const { fail, know } = begin();
  fail(true);
  await expect(know('a')).rejects.toThrow('away');
  fail(false);
  expect(await know('a')).toBe('a 2');
});
