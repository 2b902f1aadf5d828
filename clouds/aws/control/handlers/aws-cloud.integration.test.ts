import { once } from 'node:events';
import { createServer } from 'node:http';
import { DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { openDns } from '@kopsctl/dns/open-dns.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openAws } from './aws-cloud.ts';

/** The servers that the proxy was asked to connect to; it refuses each. */
const asked: (string | undefined)[] = [];
const proxy = createServer().on('connect', ({ url }, socket) => {
  asked.push(url);
  socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
});

beforeEach(async () => {
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  vi.stubEnv('HTTPS_PROXY', `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
  for (const other of ['https_proxy', 'NO_PROXY', 'no_proxy']) vi.stubEnv(other, undefined);
  vi.stubEnv('AWS_ENDPOINT_URL', undefined);
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'someone');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret');
});
afterEach(() => {
  vi.unstubAllEnvs();
  proxy.close();
});

test('AWS is asked through the proxy of the environment', async () => {
  const aws = openAws({ clusterName: 'demo.example.com', region: 'eu-west-1' });
  await expect(aws.ec2Once.send(new DescribeRegionsCommand())).rejects.toThrow('403');
  const dns = await openDns({ provider: 'Route53', zones: ['example.com'], region: 'eu-west-1', isPrivate: false });
  await expect(dns.zones()).rejects.toThrow('403');
  expect([...new Set(asked)]).toEqual(['ec2.eu-west-1.amazonaws.com:443', 'route53.amazonaws.com:443']);
});
