import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isWarming } from './is-warming.ts';

/** Undefined: the machine is in no group. */
let state: string | undefined;

/** The metadata service of a machine. */
const server = createServer(({ url }, response) => {
  if (url === '/latest/api/token') response.end('token');
  else if (url === '/latest/meta-data/autoscaling/target-lifecycle-state' && state !== undefined) response.end(state);
  else response.writeHead(404).end();
});
let env: Readonly<Record<string, string>>;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  env = {
    AWS_EC2_METADATA_SERVICE_ENDPOINT: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
  };
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  ['Warmed:Stopped', true],
  ['Warmed:Hibernated', true],
  ['InService', false],
  [undefined, false],
])('a machine whose group wants it to be %s warms up: %s', async (target, expected) => {
  state = target;
  expect(await isWarming(env, AbortSignal.timeout(30_000))).toBe(expected);
});
