import type { InitializeMiddleware } from '@smithy/types';
import { expect, test } from 'vitest';
import { ReadOnce } from './read-once.ts';

/** A client that answers each request with the number of requests that it has received. */
function countingClient(reads: ReadOnce) {
  const middlewares: InitializeMiddleware<object, object>[] = [];
  const add = (middleware: InitializeMiddleware<object, object>) => middlewares.push(middleware);
  reads.watch({ middlewareStack: { add } });
  let sent = 0;
  const next = async () => {
    sent++;
    if (sent === failing) throw new Error('no answer');
    return { output: { sent }, response: undefined };
  };
  let failing: number | undefined;
  return {
    fail: (request: number) => (failing = request),
    ask: async (commandName: string, input: object = {}) => {
      const [middleware] = middlewares;
      const { output } = (await middleware?.(next, { clientName: 'EC2Client', commandName })({ input })) ?? {};
      return output;
    },
  };
}

test('the same question is sent once, even while its answer is on the way', async () => {
  const { ask } = countingClient(new ReadOnce(() => 0));
  const both = await Promise.all([ask('DescribeVpcsCommand', { id: 1 }), ask('DescribeVpcsCommand', { id: 1 })]);
  expect(both).toEqual([{ sent: 1 }, { sent: 1 }]);
  expect(await ask('DescribeVpcsCommand', { id: 2 })).toEqual({ sent: 2 });
  expect(await ask('DescribeSubnetsCommand', { id: 1 })).toEqual({ sent: 3 });
  expect(await ask('DescribeVpcsCommand', { id: 1 })).toEqual({ sent: 1 });
});

test('from the first change on every question is sent', async () => {
  const reads = new ReadOnce(() => 0);
  const { ask } = countingClient(reads);
  await ask('DescribeVpcsCommand');
  expect(reads.areShared).toBe(true);
  expect(await ask('CreateVpcCommand')).toEqual({ sent: 2 });
  expect(reads.areShared).toBe(false);
  expect(await ask('DescribeVpcsCommand')).toEqual({ sent: 3 });
  expect(await ask('DescribeVpcsCommand')).toEqual({ sent: 4 });
});

test('a question is sent again once its answer is old, or forgotten', async () => {
  let nowMs = 0;
  const reads = new ReadOnce(() => nowMs);
  const { ask } = countingClient(reads);
  await ask('ListRolesCommand');
  nowMs = 4_999;
  expect(await ask('ListRolesCommand')).toEqual({ sent: 1 });
  nowMs = 5_000;
  expect(await ask('ListRolesCommand')).toEqual({ sent: 2 });
  reads.forget();
  expect(await ask('ListRolesCommand')).toEqual({ sent: 3 });
});

test('those who wait for an answer that does not come all learn it, and the next one asks again', async () => {
  const reads = new ReadOnce(() => 0);
  const client = countingClient(reads);
  client.fail(1);
  const both = await Promise.allSettled([client.ask('GetRoleCommand'), client.ask('GetRoleCommand')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await client.ask('GetRoleCommand')).toEqual({ sent: 2 });
});
