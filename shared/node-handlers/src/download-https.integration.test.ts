import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TlsIdentity } from '@kopsctl/http/http.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { download } from './download.ts';

/*
 * The path of a release to a node: a file repository that is laid out as the publishers' servers are, then the
 * publisher, which redirects to where the bytes are.
 */
const RELEASE = '/etcd-io/etcd/releases/download/v3.5.21/etcd-v3.5.21-linux-amd64.tar.gz';
const REPOSITORY = `/kops${RELEASE}`;
const OBJECTS = '/objects/1234?signature=abc';

const content = randomBytes(2 << 20);
const half = content.length / 2;
const sha256 = createHash('sha256').update(content).digest('hex');
const signal = new AbortController().signal;

type Answer = (request: IncomingMessage, response: ServerResponse, from: number) => unknown;

const whole: Answer = (_request, response, from) => {
  const range = { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` };
  response.writeHead(from === 0 ? 200 : 206, from === 0 ? {} : range).end(content.subarray(from));
};
const missing: Answer = (_request, response) => response.writeHead(404).end('<html>Not Found</html>');
/** A copy that was cut short: its server knows nothing of the rest. */
const truncated: Answer = (_request, response, from) =>
  from >= half ? response.writeHead(416).end() : response.end(content.subarray(0, half));
/** Bytes that have arrived when a connection breaks may be dropped unread, so the connection breaks only once they are kept. */
const breaking: Answer = (_request, response) => {
  const isKept = async () => expect((await stat(`${path}.part`)).size).toBe(half);
  response.writeHead(200, { 'content-length': content.length });
  response.write(content.subarray(0, half), () => {
    void vi.waitFor(isKept, { timeout: 30_000 }).finally(() => response.socket?.end());
  });
};
const other: Answer = (_request, response) => response.end(randomBytes(content.length));
const moved: Answer = (_request, response) => response.writeHead(302, { location: OBJECTS }).end();

let base: string;
let folder: string;
let path: string;
let server: Server;
let tls: TlsIdentity;
const answers = new Map<string, Answer>();
const asked: string[] = [];

beforeEach(async () => {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'ca', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, nowMs, validityDays: 1 });
  tls = { ca: primary(authority).certificatePem };
  server = createServer({ key: leaf.privateKeyPem, cert: leaf.certificatePem }, (request, response) => {
    const [, from = '0'] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
    asked.push(`${request.url} from ${from}`);
    (answers.get(request.url ?? '') ?? missing)(request, response, Number(from));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  folder = await mkdtemp(join(tmpdir(), 'kops-download-'));
  path = join(folder, 'cache', sha256);
  answers.clear();
  answers.set(RELEASE, moved).set(OBJECTS, whole);
  asked.length = 0;
});
afterEach(async () => {
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

const fromRepository = () => download([`${base}${REPOSITORY}`, `${base}${RELEASE}`], sha256, path, signal, { tls });

async function expectWhole(): Promise<void> {
  expect(content.equals(await readFile(path))).toBe(true);
  expect(await readdir(dirname(path))).toEqual([sha256]);
}

test('a repository that has the file is asked alone', async () => {
  answers.set(REPOSITORY, whole);
  await fromRepository();
  await expectWhole();
  expect(asked).toEqual([`${REPOSITORY} from 0`]);
});

test('a repository that lacks the file is followed by the publisher and its redirect', async () => {
  await fromRepository();
  await expectWhole();
  expect(asked.slice(1)).toEqual([`${RELEASE} from 0`, `${OBJECTS} from 0`]);
});

test('what breaks off is resumed through the redirect', async () => {
  answers.set(REPOSITORY, breaking);
  await fromRepository();
  await expectWhole();
  expect(asked.at(-1)).toBe(`${OBJECTS} from ${half}`);
});

test.each([
  ['cut short', truncated],
  ['another file', other],
])('a copy that is %s is thrown away, and nothing of it is kept', async (_, answer) => {
  answers.set(REPOSITORY, answer);
  await fromRepository();
  await expectWhole();
  expect(asked.at(-1)).toBe(`${OBJECTS} from 0`);
});

test('a repository that is down is passed over', async () => {
  await download([`https://127.0.0.1:9${REPOSITORY}`, `${base}${RELEASE}`], sha256, path, signal, { tls });
  await expectWhole();
  expect(asked).toEqual([`${RELEASE} from 0`, `${OBJECTS} from 0`]);
});

test('wrong bytes everywhere are refused, and nothing is there', async () => {
  answers.set(REPOSITORY, truncated).set(OBJECTS, other);
  await expect(fromRepository()).rejects.toThrow(/returned other content/);
  expect(await readdir(dirname(path))).toEqual([]);
});

test('a publisher that leaves https is refused', async () => {
  answers.set(RELEASE, (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end());
  await expect(fromRepository()).rejects.toThrow('it redirects to http://127.0.0.1:9/');
});
