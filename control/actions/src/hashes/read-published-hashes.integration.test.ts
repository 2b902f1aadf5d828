import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { type Http, openHttp } from '@kopsctl/http/http.ts';
import type { PublishedAsset } from '@kopsctl/model/assets/published-asset.ts';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { primary } from '@kopsctl/pki/keyset.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readPublishedHashes } from './read-published-hashes.ts';

const signal = new AbortController().signal;
const [kubeletHash, etcdHash, runcHash] = ['a', 'b', 'c'].map((letter) => letter.repeat(64));
const ETCD = 'etcd-io/etcd/releases/download/v3.5.21/etcd-v3.5.21-linux-amd64.tar.gz';
const RUNC = 'opencontainers/runc/releases/download/v1.3.3/runc.amd64';
const KUBELET = 'release/v1.30.4/bin/linux/amd64/kubelet';

/** What the publishers answer, by path as they lay their releases out. */
const files = new Map([
  [`/${KUBELET}.sha256`, kubeletHash],
  [
    '/etcd-io/etcd/releases/download/v3.5.21/SHA256SUMS',
    `${runcHash}  etcd-v3.5.21-linux-arm64.tar.gz\n${etcdHash}  etcd-v3.5.21-linux-amd64.tar.gz\n`,
  ],
  ['/objects/runc', `${runcHash}  runc.amd64\n${kubeletHash}  runc.arm64\n`],
  [`/kops/${KUBELET}.sha256`, etcdHash],
]);
/** Releases are at another address than the one that is linked. */
const moved = new Map([['/opencontainers/runc/releases/download/v1.3.3/runc.sha256sum', '/objects/runc']]);

let base: string;
let http: Http;
let server: Server;

beforeEach(async () => {
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'ca', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, nowMs, validityDays: 1 });
  server = createServer({ key: leaf.privateKeyPem, cert: leaf.certificatePem }, ({ url = '' }, response) => {
    const [location, text] = [moved.get(url), files.get(url)];
    if (location !== undefined) response.writeHead(302, { location }).end();
    else if (text === undefined) response.writeHead(404).end('<html>Not Found</html>');
    else response.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  base = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  http = openHttp({ tls: { ca: primary(authority).certificatePem } });
});
afterEach(() => {
  http.close();
  server.close();
  server.closeAllConnections();
});

const asset = (file: string, sha256File = `${file}.sha256`): PublishedAsset => ({
  name: 'asset',
  version: '1.0.0',
  arch: 'amd64',
  file,
  urls: [`${base}/${file}`],
  sha256Url: `${base}/${sha256File}`,
});
const kubelet = () => asset(KUBELET);
const etcd = () => asset(ETCD, 'etcd-io/etcd/releases/download/v3.5.21/SHA256SUMS');
const runc = () => asset(RUNC, 'opencontainers/runc/releases/download/v1.3.3/runc.sha256sum');

test('each project is asked in its own way: a hash alone, the list of a release, a list behind a redirect', async () => {
  const hashes = await readPublishedHashes([kubelet(), etcd(), runc()], undefined, signal, http);
  expect([...hashes]).toEqual([
    [`${base}/${KUBELET}`, kubeletHash],
    [`${base}/${ETCD}`, etcdHash],
    [`${base}/${RUNC}`, runcHash],
  ]);
});

test('a key that signs packages is read itself, because nobody publishes its hash', async () => {
  const armored = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ==\n-----END PGP PUBLIC KEY BLOCK-----\n';
  const key = asset('archive.key', 'archive.key');
  files.set('/archive.key', armored);
  const sha256 = createHash('sha256').update(armored).digest('hex');
  expect([...(await readPublishedHashes([key], undefined, signal, http))]).toEqual([[`${base}/archive.key`, sha256]]);
  files.set('/archive.key', '<html>sign in to this network</html>');
  const failed = readPublishedHashes([key], undefined, signal, http);
  await expect(failed).rejects.toThrow('archive.key: it holds no OpenPGP key in ASCII');
});

test('a file repository is asked instead, also where the publisher would say something else', async () => {
  const hashes = await readPublishedHashes([kubelet()], `${base}/kops`, signal, http);
  expect([...hashes.values()]).toEqual([etcdHash]);
});

test('what is not to be had is refused, all of it in one error', async () => {
  const gone = [asset('gone/one'), kubelet(), asset('gone/two')];
  const failed = readPublishedHashes(gone, undefined, signal, http);
  await expect(failed).rejects.toThrow(
    new RegExp(`gone/one.sha256: it answered 404[^]*gone/two.sha256: it answered 404`),
  );
  await expect(failed).rejects.not.toThrow(/kubelet/);
});

test('a server that is not reached is one reason, however many files it has', async () => {
  const files = ['one', 'two', 'three', 'four'].map((file) => ({
    ...asset(`gone/${file}`),
    sha256Url: `https://127.0.0.1:1/${file}.sha256`,
  }));
  const failed = readPublishedHashes([...files, asset('gone/five')], undefined, signal, http);
  await expect(failed).rejects.toMatchObject({
    why:
      'cannot reach 127.0.0.1 (ECONNREFUSED), for the hashes of 4 files: one, two, three and 1 more\n' +
      `cannot find the hash of five: ${base}/gone/five.sha256: it answered 404`,
  });
});

test('a page that is not a hash is not a hash', async () => {
  files.set('/strange.sha256', '<html>welcome</html>');
  await expect(readPublishedHashes([asset('strange')], undefined, signal, http)).rejects.toThrow(
    'it holds no SHA-256 of that file',
  );
});

test('a server that cannot prove who it is is not believed', async () => {
  await expect(readPublishedHashes([kubelet()], undefined, signal)).rejects.toThrow(/certificate/);
});

test.each([
  ['of a file repository', () => [kubelet()], 'http://127.0.0.1:1'],
  ['beside the agents, where KOPSCTL_BASE_URL is such a place', () => [{ ...kubelet(), sha256Url: 'http://a.test/x' }]],
])('a hash over plain http is not believed: %s', async (_what, assets, repository?: string) => {
  const failed = readPublishedHashes(assets(), repository, signal, http);
  await expect(failed).rejects.toThrow('a hash is accepted only over https');
  await expect(failed).rejects.toMatchObject({
    next: expect.stringMatching(/^give an https address; or put the hashes/),
  });
});
