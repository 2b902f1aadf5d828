import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from './open.ts';

const requests: IncomingMessage[] = [];
const server = createServer((request, response) => {
  requests.push(request);
  request.resume();
  const isPut = request.method === 'PUT';
  response.writeHead(isPut ? 200 : 404, isPut ? { ETag: '"1"' } : {}).end();
});
let endpoint = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await once(server, 'close');
});

test('a server of S3 is found by the variables of kops, with the keys and the ACL that these name', async () => {
  const store = await openStore('s3://bucket/prefix', {
    S3_ENDPOINT: endpoint,
    S3_ACCESS_KEY_ID: 'the-key',
    S3_SECRET_ACCESS_KEY: 'secret',
    KOPS_STATE_S3_ACL: 'bucket-owner-full-control',
    KOPS_S3_ALLOW_BLIND_WRITES: 'true',
  });
  expect(await store.read('config')).toBeUndefined();
  await store.write('config', Buffer.from('text'), { ifAbsent: true });
  expect(requests.map(({ method, url }) => `${method} ${url?.replace(/\?.*/, '')}`)).toEqual([
    'GET /bucket/prefix/config',
    'PUT /bucket/prefix/config',
  ]);
  for (const { headers } of requests) expect(headers.authorization).toContain('Credential=the-key/');
  expect(requests[1]?.headers['x-amz-acl']).toBe('bucket-owner-full-control');
});
