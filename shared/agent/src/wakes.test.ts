import { expect, test } from 'vitest';
import { Wake } from './wake.ts';
import { Wakes } from './wakes.ts';

const signal = new AbortController().signal;

test('every loop that follows is woken', async () => {
  const wakes = new Wakes();
  const [first, second] = [new Wake(), new Wake()];
  for (const wake of [first, second]) wakes.add(wake);
  wakes.ring();
  expect(await Promise.all([first.wait(60_000, signal), second.wait(60_000, signal)])).toEqual([true, true]);
});

test('a loop that fails and is started again many times leaves nothing behind', () => {
  const [one, other] = [new Wakes(), new Wakes()];
  const loop = (): void => {
    using wake = new Wake();
    one.add(wake);
    other.add(wake);
    expect([one.size, other.size]).toEqual([1, 1]);
    throw new Error('the store is away');
  };
  for (let starts = 0; starts < 1_000; starts += 1) expect(loop).toThrow('the store is away');
  expect([one.size, other.size]).toEqual([0, 0]);
});
