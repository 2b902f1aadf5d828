import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';

import { askedRegistries } from './registries.ts';

async function listening(server: ReturnType<typeof createServer>): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

test('registries that are silent cost a second in all, and one that refuses nothing', async () => {
  const silent = [createServer(), createServer()];
  const hosts = [await listening(silent[0] ?? createServer()), await listening(silent[1] ?? createServer())];
  const closed = createServer();
  hosts.push(await listening(closed));
  closed.close();
  const startMs = performance.now();
  const registries = askedRegistries(hosts);
  const reasons = await Promise.all(hosts.map((host) => registries.whyNot(host)));
  expect(performance.now() - startMs).toBeLessThan(2000);
  for (const server of silent) server.close();
  expect(reasons).toEqual([
    `${hosts[0]} does not answer: no answer within 1 s`,
    `${hosts[1]} does not answer: no answer within 1 s`,
    `${hosts[2]} does not answer: ECONNREFUSED`,
  ]);
});
