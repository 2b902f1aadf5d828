import { once } from 'node:events';
import { createServer } from 'node:https';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TlsIdentity } from '@kopsctl/http/http.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { fetchHttps } from './fetch-https.ts';

const signal = new AbortController().signal;
let origin: string;
let tls: TlsIdentity;
let server: ReturnType<typeof createServer>;

beforeEach(async () => {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'ca', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, nowMs, validityDays: 1 });
  tls = { ca: primary(authority).certificatePem };
  server = createServer({ key: leaf.privateKeyPem, cert: leaf.certificatePem }, (request, response) => {
    const to = (location: string) => response.writeHead(302, { location }).end();
    switch (request.url) {
      case '/channel.yaml':
        return response.end('kind: Addons\n');
      case '/moved':
        return to('/channel.yaml');
      case '/plain':
        return to('http://127.0.0.1/channel.yaml');
      case '/round':
        return to('/round');
      case '/huge':
        return response.end(Buffer.alloc(33 * 1024 * 1024));
      default:
        return response.writeHead(404).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  origin = `https://127.0.0.1:${address.port}`;
});
afterEach(() => server.close());

const text = async (path: string) => (await fetchHttps(`${origin}${path}`, signal, tls)).toString('utf8');

test('a channel is downloaded, also through a redirect', async () => {
  expect(await text('/channel.yaml')).toBe('kind: Addons\n');
  expect(await text('/moved')).toBe('kind: Addons\n');
});

test.each([
  ['/none', 'it answered 404'],
  ['/plain', 'it redirects to http://127.0.0.1/channel.yaml'],
  ['/round', 'it redirects more than 5 times'],
  ['/huge', 'larger than 33554432 bytes'],
])('%s is refused: %s', async (path, why) => {
  await expect(text(path)).rejects.toThrow(`cannot read ${origin}${path}: `);
  await expect(text(path)).rejects.toThrow(why);
});

test('a server without a trusted certificate is refused', async () => {
  await expect(fetchHttps(`${origin}/channel.yaml`, signal)).rejects.toThrow(/certificate|self-signed/);
});
