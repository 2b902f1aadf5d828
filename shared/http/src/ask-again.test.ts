import { ActionableError } from '@kopsctl/errors/actionable-error.ts';
import { expect, test } from 'vitest';
import { askAgain } from './ask-again.ts';
import type { Pace } from './try-again.ts';

const never = new AbortController().signal;
const pace: Pace = { retries: 2, minTimeout: 0, factor: 2, maxTimeout: 0 };
const explain = (thrown: unknown) => new Error('explained', { cause: thrown });
const passing = { pace, isPassing: () => true, explain };

/** Fails so, each time it is asked; then answers with how often it was asked. */
function failing(failures: readonly unknown[]) {
  let asked = 0;
  const once = async () => {
    const failure = failures[asked];
    asked += 1;
    if (failure !== undefined) throw failure;
    return asked;
  };
  return { once, asked: () => asked };
}

test('a passing failure is asked about again', async () => {
  expect(await askAgain(failing([new Error('a'), new Error('b')]).once, passing, never)).toBe(3);
});

test('the last failure is explained', async () => {
  const last = new Error('c');
  const cause = failing([new Error('a'), new Error('b'), last]);
  await expect(askAgain(cause.once, passing, never)).rejects.toMatchObject({ message: 'explained', cause: last });
});

test('a failure that does not pass is explained at once', async () => {
  const { once, asked } = failing([new Error('refused')]);
  await expect(askAgain(once, { ...passing, isPassing: () => false }, never)).rejects.toThrow('explained');
  expect(asked()).toBe(1);
});

test.each([new ActionableError({ what: 'a', why: 'b', next: 'c' }), new TypeError('our own fault')])(
  'an error that another try does not fix is thrown as it is: %s',
  async (error) => {
    const { once, asked } = failing([error]);
    await expect(askAgain(once, passing, never)).rejects.toBe(error);
    expect(asked()).toBe(1);
  },
);

test('a signal ends a pause', async () => {
  const told = new AbortController();
  const slow = { ...passing, pace: { ...pace, minTimeout: 600_000, maxTimeout: 600_000 } };
  const reason = new Error('told to stop');
  const asked = askAgain(
    async () => {
      setImmediate(() => told.abort(reason));
      throw new Error('a');
    },
    slow,
    told.signal,
  );
  await expect(asked).rejects.toBe(reason);
});
