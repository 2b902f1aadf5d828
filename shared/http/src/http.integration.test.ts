import { getEventListeners, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { type CertificateUsage, issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { afterEach, expect, test } from 'vitest';
import { type Http, type HttpOptions, openHttp } from './http.ts';
import { readWhole } from './read-whole.ts';

const never = new AbortController().signal;
const whole = { method: 'GET', withinMs: 10_000, maxBytes: 1000 } as const;

const toEnd: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of toEnd.splice(0)) await end();
});

async function listen(server: Server, at: number | string = 0): Promise<string> {
  server.listen(typeof at === 'string' ? { path: at } : { port: at, host: '127.0.0.1' });
  await once(server, 'listening');
  toEnd.push(() => {
    server.closeAllConnections();
    server.close();
    return once(server, 'close');
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : 'localhost';
}

/** Certificates of one authority for a client and for a server on this machine. */
async function issueCertificates() {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'ca', nowMs });
  const issue = async (usage: CertificateUsage) => {
    const subject = { commonName: usage, ipAddresses: ['127.0.0.1'], usages: [usage] };
    const leaf = await issueLeaf({ ...subject, authority, nowMs, validityDays: 1 });
    return { cert: leaf.certificatePem, key: leaf.privateKeyPem };
  };
  return { ca: primary(authority).certificatePem, client: await issue('client'), server: await issue('server') };
}

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

const serve = async (handler: Handler): Promise<string> =>
  `http://${await listen(createServer((request, response) => void handler(request, response)))}/`;

function open(options: HttpOptions = {}): Http {
  const http = openHttp(options);
  toEnd.push(async () => http.close());
  return http;
}

async function* endless(sent: { count: number }): AsyncGenerator<Uint8Array> {
  for (; ; sent.count += 1) yield Buffer.alloc(64 * 1024);
}

test('a request and its answer arrive whole, over one connection', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve(async (request, response) => {
    ports.add(request.socket.remotePort);
    const body = await readWhole(request, 1000);
    response
      .writeHead(418, { 'X-Length': request.headers['content-length'] })
      .end(`${request.method} ${body.toString()}`);
  });
  const http = open();
  for (const body of ['hélo', Buffer.from('hélo')]) {
    const answer = await http.ask({ ...whole, method: 'PUT', url, body }, never);
    expect(answer).toMatchObject({ status: 418, body: 'PUT hélo', headers: { 'x-length': '5' } });
  }
  expect(ports.size).toBe(1);
});

test('without keepAlive each request has its own connection', async () => {
  const ports = new Set<number | undefined>();
  const url = await serve((request, response) => response.end(String(ports.add(request.socket.remotePort).size)));
  const http = open({ keepAlive: false });
  expect((await http.ask({ ...whole, url }, never)).body).toBe('1');
  expect((await http.ask({ ...whole, url }, never)).body).toBe('2');
});

test('an answer that is too large ends the exchange', async () => {
  const url = await serve((_, response) => response.end('x'.repeat(1001)));
  await expect(open().ask({ ...whole, url }, never)).rejects.toThrow('the answer is larger than 1000 bytes');
});

test('a limit of time holds before and after the head of the answer', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/begins') response.write('begins');
  });
  const http = open();
  for (const path of ['', 'begins']) {
    await expect(http.ask({ ...whole, url: url + path, withinMs: 50 }, never)).rejects.toThrow(
      'no answer within 50 ms',
    );
    const silent = { method: 'GET', url: url + path, silenceMs: 50, maxBytes: 1000 };
    await expect(http.ask(silent, never)).rejects.toThrow('no answer within 50 ms');
  }
});

test('a signal ends an exchange at once, before and after the head of the answer', async () => {
  const heads: string[] = [];
  const asked = Promise.withResolvers<void>();
  const url = await serve((request, response) => {
    if (request.url === '/begins') response.write('begins');
    else asked.resolve();
    request.socket.once('close', () => heads.push(request.url ?? ''));
  });
  const http = open();
  const first = new AbortController();
  const unanswered = http.ask({ ...whole, url }, first.signal);
  await asked.promise;
  first.abort(new Error('told to stop'));
  await expect(unanswered).rejects.toThrow('told to stop');
  await expect(http.ask({ ...whole, url }, first.signal)).rejects.toThrow('told to stop');

  const second = new AbortController();
  const { body } = await http.stream({ ...whole, url: `${url}begins` }, second.signal);
  second.abort(new Error('told to stop'));
  await expect(readWhole(body, 1000)).rejects.toThrow('told to stop');
  await expect.poll(() => heads).toEqual(['/', '/begins']);
});

test('an answer that breaks off is an error', async () => {
  const url = await serve((_, response) => {
    response.writeHead(200, { 'content-length': '10' });
    response.write('12345', () => response.destroy());
  });
  await expect(open().ask({ ...whole, url }, never)).rejects.toThrow('aborted');
});

test('a body is sent as it comes, no faster than it is read', async () => {
  const sent = { count: 0 };
  const read = Promise.withResolvers<void>();
  const url = await serve(async (request, response) => {
    await read.promise;
    let size = 0;
    for await (const chunk of request) size += (chunk as Buffer).byteLength; // A request is read in buffers.
    response.end(String(size));
  });
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of endless(sent)) {
      // More than the buffers of both ends of a connection hold.
      if (sent.count === 400) return;
      yield chunk;
    }
  }
  const answer = open().ask({ ...whole, method: 'PUT', url, body: chunks() }, never);
  let before = -1;
  await expect.poll(() => before === (before = sent.count) && before > 0).toBe(true);
  expect(sent.count).toBeLessThan(400);
  read.resolve();
  expect(await answer).toMatchObject({ body: String(400 * 64 * 1024) });
});

test('an answer that comes before all of the body was sent counts, and nothing more is sent', async () => {
  let isClosed = false;
  const url = await serve((request, response) => {
    request.socket.once('close', () => (isClosed = true));
    response.writeHead(413).end('too large');
  });
  const sent = { count: 0 };
  const answer = await open().ask({ ...whole, method: 'PUT', url, body: endless(sent) }, never);
  expect(answer).toMatchObject({ status: 413, body: 'too large' });
  await expect.poll(() => isClosed).toBe(true);
});

test('a body that fails is the failure of its request', async () => {
  const url = await serve((request) => request.resume());
  // oxlint-disable-next-line require-yield
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('x');
    throw new Error('the disk is broken');
  }
  await expect(open().ask({ ...whole, method: 'PUT', url, body: broken() }, never)).rejects.toThrow(
    'the disk is broken',
  );
});

test('a Unix socket is asked in place of a host', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kops-http-'));
  toEnd.push(() => rm(folder, { recursive: true }));
  const socketPath = join(folder, 'socket');
  await listen(
    createServer((request, response) => response.end(request.url)),
    socketPath,
  );
  const answer = await open({ socketPath }).ask({ ...whole, url: 'http://localhost/v1/x?y' }, never);
  expect(answer.body).toBe('/v1/x?y');
});

test('a server sees the certificate of its client, and a client believes only its authority', async () => {
  const { ca, client, server } = await issueCertificates();
  const options = { ...server, ca, requestCert: true };
  const secure = createSecureServer(options, (_, response) => response.end('hello'));
  const url = `https://${await listen(secure)}/`;
  expect((await open({ tls: { ...client, ca } }).ask({ ...whole, url }, never)).body).toBe('hello');
  await expect(open({ tls: { ca } }).ask({ ...whole, url }, never)).rejects.toThrow(/certificate required|ECONNRESET/);
  await expect(open({ tls: client }).ask({ ...whole, url }, never)).rejects.toThrow(
    /self-signed|issuer|unable to verify/,
  );
});

test('a connection to a server that was asked before resumes the session of that one', async () => {
  const { ca, client, server } = await issueCertificates();
  const seen: boolean[] = [];
  const secure = createSecureServer({ ...server, ca, requestCert: true }, (request, response) => {
    seen.push(request.socket instanceof TLSSocket && request.socket.isSessionReused());
    response.end();
  });
  const url = `https://${await listen(secure)}/`;
  const http = open({ tls: { ...client, ca }, keepAlive: false });
  for (const _ of [1, 2, 3]) await http.ask({ ...whole, url }, never);
  expect(seen).toEqual([false, true, true]);
});

test('no listener stays on a signal that many requests share', async () => {
  const url = await serve((_, response) => response.end());
  const { signal } = new AbortController();
  const http = open();
  await http.ask({ ...whole, url }, signal);
  await http.ask({ ...whole, url: 'http://127.0.0.1:1/' }, signal).catch(() => undefined);
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});

test('a server with a name is asked through the proxy of the environment, and one with an address is not', async () => {
  const proxied: string[] = [];
  const proxy = await serve((request, response) => {
    proxied.push(request.url ?? '');
    response.end('from the proxy');
  });
  const near = await serve((_, response) => response.end('from the server'));
  const http = open({ proxyEnv: { http_proxy: proxy, no_proxy: 'localhost' } });
  const body = async (url: string) => (await http.ask({ ...whole, url }, never)).body;
  expect(await body('http://far.example.com/x')).toBe('from the proxy');
  expect(await body(near)).toBe('from the server');
  expect(await body(near.replace('127.0.0.1', 'localhost'))).toBe('from the server');
  expect(proxied).toEqual(['http://far.example.com/x']);
});
