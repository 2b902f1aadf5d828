import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
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

afterEach(() => vi.unstubAllEnvs());

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

test('a server that only a profile of AWS names is probed too: this one ignores conditions', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kopsctl-profile-'));
  try {
    const config = `[default]\nregion = us-east-1\nendpoint_url = ${endpoint}\n`;
    await writeFile(join(folder, 'config'), config);
    vi.stubEnv('AWS_CONFIG_FILE', join(folder, 'config'));
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'the-key');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
    for (const name of ['AWS_PROFILE', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3']) vi.stubEnv(name, undefined);
    const store = await openStore('s3://127.0.0.1/prefix', {});
    await expect(store.write('config', Buffer.from('text'), { ifAbsent: true })).rejects.toThrow(
      'does not honour conditional writes',
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});
