import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { serveMetrics } from './serve-metrics.ts';

test('metrics that cannot be told are answered with the reason', async () => {
  const ended = new AbortController();
  const text = async (): Promise<string> => Promise.reject(new Error('the disk does not answer'));
  const server = await serveMetrics({ text, faults: () => [] }, 0, ended.signal);
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(10_000) });
  expect({ status: answer.status, text: await answer.text() }).toEqual({
    status: 500,
    text: 'the disk does not answer\n',
  });
  const closed = once(server, 'close');
  ended.abort();
  await closed;
});
