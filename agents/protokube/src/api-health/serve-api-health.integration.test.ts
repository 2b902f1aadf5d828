import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { makeLog } from '@kopsctl/agent/log.ts';
import { serveApiHealth } from './serve-api-health.ts';

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** The server, and what it has asked of an API server that answers with `why`. */
async function serving(answer: { why: string | undefined }) {
  const [ended, lines] = [new AbortController(), [] as string[]];
  const asked = { count: 0 };
  const { promise, resolve } = Promise.withResolvers<number>();
  const ask = async (): Promise<string | undefined> => {
    asked.count += 1;
    return answer.why;
  };
  const log = makeLog((line) => lines.push(line), true, 'protokube');
  const done = serveApiHealth(0, { ask, onListening: resolve, log }, ended.signal);
  stops.push(async () => {
    ended.abort();
    await done;
  });
  const url = `http://127.0.0.1:${await promise}`;
  return { url, asked, lines };
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status;

test('a load balancer learns whether the API server is ready, and nothing more', async () => {
  const answer = { why: 'it answered 500' as string | undefined };
  const { url, lines } = await serving(answer);
  const refused = await fetch(`${url}/healthz`);
  expect([refused.status, await refused.text()]).toEqual([503, 'not ready\n']);
  expect(await statusOf(`${url}/readyz`)).toBe(404);
  answer.why = undefined;
  await expect.poll(() => statusOf(`${url}/healthz`)).toBe(200);
  expect(lines.map((line) => /load balancers \w+( \w+)?/.exec(line)?.[0])).toEqual([
    'load balancers send traffic',
    'load balancers may send',
  ]);
});

test('many checkers at once make the API server work once', async () => {
  const { url, asked } = await serving({ why: undefined });
  const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(`${url}/healthz`)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(asked.count).toBeLessThan(5);
});

test('a port that is taken is named', async () => {
  const other = createServer().listen(0);
  stops.push(async () => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const env = { ask: async () => undefined, log: makeLog(() => undefined, true, 'protokube') };
  await expect(serveApiHealth(port, env, new AbortController().signal)).rejects.toThrow(`on port ${port}`);
});
