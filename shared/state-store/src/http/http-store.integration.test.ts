import { once } from 'node:events';
import { createServer, request, type RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { describeStateStore } from '../testing/conformance.ts';
import { createMemoryStore } from '../memory.ts';
import { createHttpStore } from './http-store.ts';
import { serveStore } from './serve.ts';

const everything = { mayList: true, mayRead: () => true, mayWrite: () => true };

async function listen(handler: RequestListener) {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

describeStateStore('http over a served memory store', async () => {
  const server = await listen(serveStore(createMemoryStore(), () => everything, { basePath: '/state' }));
  const url = `${server.origin}/state`;
  return { store: createHttpStore(url), another: createHttpStore(url), close: server.close };
});

/** The status of a request exactly as written: fetch would tidy the path up first. */
async function statusOf(
  origin: string,
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body = '',
): Promise<number> {
  const sent = request(origin, { method, path, headers });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  return Number(answer.statusCode);
}

test('A machine reads and writes what its role allows, and is told what it may not', async () => {
  const inner = createMemoryStore();
  await inner.write('demo/node-plans/1.json', Buffer.from('plan'), { ifAbsent: true });
  await inner.write('demo/pki/private/ca/keyset.yaml', Buffer.from('key'), { ifAbsent: true });
  const rights = {
    mayList: true,
    mayRead: (path: string) => path.startsWith('demo/node-plans/'),
    mayWrite: (path: string) => path.startsWith('demo/nodes/'),
  };
  const server = await listen(serveStore(inner, () => rights));
  const store = createHttpStore(server.origin);
  expect(Buffer.from((await store.read('demo/node-plans/1.json'))?.bytes ?? []).toString()).toBe('plan');
  await expect(store.read('demo/pki/private/ca/keyset.yaml')).rejects.toThrow(
    /the role of this machine may not do that/,
  );
  await expect(store.read('demo/pki/private/none')).rejects.toThrow(/may not do that/);
  await expect(store.list('demo/pki')).rejects.toThrow(/may not do that/);
  expect((await store.list('demo')).map((entry) => entry.path)).toEqual(['demo/node-plans/1.json']);
  await store.write('demo/nodes/n/boot-report.json', Buffer.from('{}'), { ifAbsent: true });
  await expect(store.write('demo/config', Buffer.from('x'), { ifAbsent: true })).rejects.toThrow(/may not do that/);
  await expect(store.delete('demo/node-plans/1.json')).rejects.toThrow(/may not do that/);
  await server.close();
});

test('Blind writes, other methods, paths that leave the store and bodies that are too large are refused', async () => {
  const inner = createMemoryStore();
  const server = await listen(serveStore(inner, () => everything, { basePath: '/state', maxBodyBytes: 10 }));
  const create = { 'if-none-match': '*' };
  expect(await statusOf(server.origin, 'PUT', '/state/a', {}, 'x')).toBe(428);
  expect(await statusOf(server.origin, 'PUT', '/state/a', { 'if-match': '*' }, 'x')).toBe(400);
  expect(await statusOf(server.origin, 'POST', '/state/a', create, 'x')).toBe(405);
  expect(await statusOf(server.origin, 'PUT', '/state/', create, 'x')).toBe(405);
  expect(await statusOf(server.origin, 'PUT', '/state/../a', create, 'x')).toBe(400);
  expect(await statusOf(server.origin, 'GET', '/state/%2e%2e/a')).toBe(400);
  expect(await statusOf(server.origin, 'GET', '/state/a%2f..%2f..%2fb')).toBe(400);
  expect(await statusOf(server.origin, 'GET', '/state/%zz')).toBe(400);
  expect(await statusOf(server.origin, 'GET', '/state/?prefix=../')).toBe(400);
  expect(await statusOf(server.origin, 'GET', '/other/a')).toBe(404);
  expect(await statusOf(server.origin, 'PUT', '/state/a', create, 'x'.repeat(11))).toBe(413);
  expect(
    await statusOf(server.origin, 'PUT', '/state/a', { ...create, 'transfer-encoding': 'chunked' }, 'x'.repeat(11)),
  ).toBe(413);
  expect(await inner.list('')).toEqual([]);
  expect(await statusOf(server.origin, 'PUT', '/state/a', create, 'x'.repeat(10))).toBe(200);
  await server.close();
});

test('A write whose answer got lost is repeated and is not taken for a conflict with itself', async () => {
  const inner = createMemoryStore();
  const serve = serveStore(inner, () => everything);
  let isLost = true;
  const server = await listen((incoming, outgoing) => {
    if (isLost && incoming.method === 'PUT') {
      isLost = false;
      outgoing.end = (() => outgoing.destroy()) as typeof outgoing.end;
    }
    serve(incoming, outgoing);
  });
  const store = createHttpStore(server.origin);
  const { version } = await store.write('demo/config', Buffer.from('x'), { ifAbsent: true });
  expect((await inner.read('demo/config'))?.version).toBe(version);
  expect(isLost).toBe(false);
  await server.close();
});

test('A server that is away, or is not a state store, is named', async () => {
  const gone = await listen(() => undefined);
  await gone.close();
  await expect(createHttpStore(gone.origin).read('a')).rejects.toThrow(/did not answer: connect ECONNREFUSED/);
  const other = await listen((_, outgoing) => outgoing.end('<html>'));
  await expect(createHttpStore(other.origin).read('a')).rejects.toThrow(/no ETag/);
  await expect(createHttpStore(other.origin).list('')).rejects.toThrow(/not JSON/);
  await other.close();
});
