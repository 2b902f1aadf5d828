import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openHttp } from '@kopsctl/http/http.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { downloadVerified, isReachable } from './download.ts';

const BYTES = randomBytes(300_000);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const HASH = sha256(BYTES);

const http = openHttp({ keepAlive: false });
let dir: string;
const toEnd: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'kops-download-'));
});
afterEach(async () => {
  for (const end of toEnd.splice(0)) await end();
  await rm(dir, { recursive: true, force: true });
});

/** Serves the hash, and leaves the file to the test. */
async function release(file: RequestListener, hash = () => HASH): Promise<string> {
  const server = createServer((request, response) => {
    if (request.url === '/program.sha256') response.end(hash());
    else file(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  toEnd.push(() => {
    server.closeAllConnections();
    server.close();
    return once(server, 'close');
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${String(address.port)}/program`;
}

const download = (url: string, log: string[] = []) =>
  downloadVerified(http, {
    url,
    sha256Url: `${url}.sha256`,
    cacheDir: dir,
    scratch: dir,
    log: (line) => log.push(line),
  });

const BROKEN_AFTER = 100_000;

/** Bytes that have arrived when a connection breaks may be dropped unread, so it breaks once they are kept. */
function sendPart(response: ServerResponse): void {
  const isKept = async () => expect((await stat(path.join(dir, `downloads/${HASH}.part`))).size).toBe(BROKEN_AFTER);
  response.write(BYTES.subarray(0, BROKEN_AFTER), () => {
    void vi.waitFor(isKept, { timeout: 30_000 }).finally(() => response.socket?.end());
  });
}

test('a file whose connection breaks is resumed where it stopped', async () => {
  const ranges: (string | undefined)[] = [];
  const url = await release((request, response) => {
    const range = request.headers.range;
    ranges.push(range);
    const from = Number(/bytes=(\d+)-/.exec(range ?? '')?.[1] ?? 0);
    response.writeHead(range === undefined ? 200 : 206, {
      'content-length': BYTES.length - from,
      ...(range === undefined ? {} : { 'content-range': `bytes ${from}-${BYTES.length - 1}/${BYTES.length}` }),
    });
    if (ranges.length === 1) sendPart(response);
    else response.end(BYTES.subarray(from));
  });
  const log: string[] = [];
  expect((await readFile(await download(url, log))).equals(BYTES)).toBe(true);
  expect(ranges).toEqual([undefined, `bytes=${String(BROKEN_AFTER)}-`]);
  expect(log.join()).toContain('continuing from where it stopped');
});

test('a server without ranges sends it all again', async () => {
  let asked = 0;
  const url = await release((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-length': BYTES.length });
    if (asked === 1) sendPart(response);
    else response.end(BYTES);
  });
  expect((await readFile(await download(url))).equals(BYTES)).toBe(true);
});

test('other bytes than the published ones are refused, and not kept', async () => {
  let body = Buffer.from('changed on the way');
  const url = await release((_request, response) => response.end(body));
  await expect(download(url)).rejects.toThrow(`but ${HASH} is published`);
  body = BYTES;
  expect((await readFile(await download(url))).equals(BYTES)).toBe(true);
});

test('the log names a file whose hash comes from beside it, when it is taken first', async () => {
  const url = await release((_request, response) => response.end(BYTES));
  const log: string[] = [];
  await download(url, log);
  await download(url, log);
  expect(log).toEqual([`${url} has ${HASH}, which is not in the table of hashes`]);
});

test('a file that was taken once is refused with another hash, until its record is deleted', async () => {
  let body = BYTES;
  let asked = 0;
  const url = await release(
    (_request, response) => {
      asked += 1;
      response.end(body);
    },
    () => sha256(body),
  );
  await download(url);
  body = Buffer.from('published again');
  const other = sha256(body);
  const [name = ''] = await readdir(path.join(dir, 'taken'));
  const record = path.join(dir, 'taken', name);
  await expect(download(url)).rejects.toMatchObject({
    message: `cannot download ${url}: its hash is ${other} now, and was ${HASH} when it was taken first`,
    next: expect.stringContaining(`delete ${record}`),
  });
  expect(asked).toBe(1);
  await rm(record);
  expect((await readFile(await download(url))).equals(body)).toBe(true);
});

test('a file that could not be verified is not remembered', async () => {
  const url = await release((_request, response) => response.end('changed on the way'));
  await expect(download(url)).rejects.toThrow('is published');
  await expect(readdir(path.join(dir, 'taken'))).rejects.toThrow('ENOENT');
});

test.each([
  [429, 'Too Many Requests'],
  [503, 'Service Unavailable'],
])('a server that answers %i may do so later: the next source does not take its place', async (status, text) => {
  const url = await release((_request, response) => response.writeHead(status).end());
  await expect(download(url)).rejects.toMatchObject({
    name: 'ActionableError',
    message: `cannot download ${url}: it answered ${String(status)} ${text}`,
  });
});

test('a file that is not there is said to be so', async () => {
  const url = await release((_request, response) => response.writeHead(404).end());
  await expect(download(url)).rejects.toMatchObject({
    name: 'NotProvided',
    message: `127.0.0.1 does not provide it: ${url} answered 404 Not Found`,
  });
  expect(await isReachable(http, url)).toBe(false);
});
