import { expect, test } from 'vitest';
import { within } from './within.ts';

const never = () => new Promise<string>(() => undefined);

test('work that ends in time gives its result', async () => {
  const signal = new AbortController().signal;
  expect(await within(60_000, 'ask', signal, async () => 'answer')).toBe('answer');
});

test('work that takes longer is given up and told so, even if it ignores its signal', async () => {
  let told: AbortSignal | undefined;
  const asking = within(5, 'ask the cloud', new AbortController().signal, (signal) => {
    told = signal;
    return never();
  });
  await expect(asking).rejects.toThrow('cannot ask the cloud: no answer within 0.005 s');
  expect(told?.aborted).toBe(true);
});

test('work is given up when the action ends', async () => {
  const ending = new AbortController();
  const asking = within(60_000, 'ask', ending.signal, never);
  ending.abort(new Error('stopped'));
  await expect(asking).rejects.toThrow('stopped');
});
