import { Readable } from 'node:stream';
import type { Answer, Http, Question } from '@kopsctl/http/http.ts';
import { expect, test } from 'vitest';
import { credentialsIn } from './docker-credentials.ts';
import { imageAddress } from './image-address.ts';
import { registryClient } from './registry-client.ts';

const { signal } = new AbortController();
const login = (words: string): string => `Basic ${Buffer.from(words).toString('base64')}`;

/** A registry that wants a token, the server that gives it, and another server that has the layers. */
function world(realm = 'https://auth.example.com/token', token = '{"token":"T1"}') {
  const seen: string[] = [];
  const heard = ({ method, url, headers }: Question) =>
    void seen.push(`${method} ${String(url)} ${headers?.['authorization'] ?? '-'}`);
  const answer = (status: number, headers: Record<string, string>) =>
    // Only these parts of an answer are read.
    ({ status, headers, body: Readable.from([]) }) as unknown as Awaited<ReturnType<Http['stream']>>;
  const http: Pick<Http, 'stream' | 'ask'> = {
    stream: async (question) => {
      heard(question);
      if (String(question.url).startsWith('https://layers.example.com/')) return answer(200, {});
      if (question.headers?.['authorization'] !== 'Bearer T1') {
        return answer(401, { 'www-authenticate': `Bearer realm="${realm}",service="r"` });
      }
      return answer(307, { location: 'https://layers.example.com/1' });
    },
    ask: async (question): Promise<Answer> => {
      heard(question);
      return { status: 200, headers: {}, body: token };
    },
  };
  return { http, seen };
}

const layer = { method: 'GET', path: 'blobs/sha256:1', right: 'pull' } as const;

test('A token is asked for once, with what docker login left, and does not follow to where layers are kept', async () => {
  const { http, seen } = world();
  const auth = Buffer.from('a:b').toString('base64');
  const client = registryClient(http, credentialsIn({ auths: { 'https://r.example.com/v2/': { auth } } }));
  const image = imageAddress('r.example.com/team/tool:v1');
  expect((await client.ask(image, layer, signal)).status).toBe(200);
  await client.ask(image, layer, signal);
  const blob = 'GET https://r.example.com/v2/team/tool/blobs/sha256:1';
  expect(seen).toEqual([
    `${blob} -`,
    `GET https://auth.example.com/token?service=r&scope=repository%3Ateam%2Ftool%3Apull ${login('a:b')}`,
    `${blob} Bearer T1`,
    'GET https://layers.example.com/1 -',
    `${blob} Bearer T1`,
    'GET https://layers.example.com/1 -',
  ]);
});

test('Where a registry sends uploads to another host, nothing that proves who asks goes there', async () => {
  const { http, seen } = world();
  const client = registryClient(http, new Map([['r.example.com', login('a:b')]]));
  const image = imageAddress('r.example.com/tool:v1');
  await client.ask(image, { ...layer, right: 'push' }, signal);
  seen.length = 0;
  const upload = { method: 'PUT', path: 'https://elsewhere.example.com/upload/1', right: 'push' } as const;
  expect((await client.ask(image, upload, signal)).status).toBe(401);
  expect(seen).toEqual(['PUT https://elsewhere.example.com/upload/1 -']);
});

test.each(['<html>not now</html>', '{"token":7}', '[]', 'null'])(
  'Where a server gives %s in place of a token, the registry itself says what it wants',
  async (given) => {
    const { http } = world(undefined, given);
    const image = imageAddress('r.example.com/tool:v1');
    expect((await registryClient(http, new Map()).ask(image, layer, signal)).status).toBe(401);
  },
);

test('A password does not go over plain http', async () => {
  const { http, seen } = world('http://auth.example.com/token');
  const client = registryClient(http, new Map([['r.example.com', login('a:b')]]));
  await client.ask(imageAddress('r.example.com/tool:v1'), layer, signal);
  expect(seen[1]).toMatch(/^GET http:\/\/auth\.example\.com\/token.* -$/);
});

test.each([
  ['busybox', 'https://registry-1.docker.io', 'library/busybox', 'latest'],
  ['quay.io/cilium/cilium:v1', 'https://quay.io', 'cilium/cilium', 'v1'],
  ['127.0.0.1:5000/a:v1@sha256:0', 'http://127.0.0.1:5000', 'a', 'sha256:0'],
])('%s is at %s', (image, base, name, reference) => {
  expect(imageAddress(image)).toMatchObject({ base, name, reference });
});

test('Docker Hub is logged in to under its old address', () => {
  expect([...credentialsIn({ auths: { 'https://index.docker.io/v1/': { auth: 'x' }, 'quay.io': {} } })]).toEqual([
    ['docker.io', 'Basic x'],
  ]);
});
