import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCertificateAuthority } from '@kopsctl/pki/authority.ts';
import { issueLeaf } from '@kopsctl/pki/issue.ts';
import { trustedCertificates } from '@kopsctl/pki/keyset.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addPackageSource, distributionsOf } from './package-source.ts';

const signal = new AbortController().signal;
const trusted = getCACertificates('default');
const KEY = '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQ==\n-----END PGP PUBLIC KEY BLOCK-----\n';

let root: string;
let server: Server;
let answer: { status: number; body: string };

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'kops-packages-'));
  const nowMs = Date.now();
  const authority = await createCertificateAuthority({ commonName: 'public', nowMs });
  const subject = { commonName: 'server', ipAddresses: ['127.0.0.1'], usages: ['server'] } as const;
  const leaf = await issueLeaf({ ...subject, authority, validityDays: 1, nowMs });
  setDefaultCACertificates([...trusted, trustedCertificates(authority)]);
  server = createServer({ cert: leaf.certificatePem, key: leaf.privateKeyPem }, (_request, response) => {
    response.writeHead(answer.status).end(answer.body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(async () => {
  setDefaultCACertificates(trusted);
  server.closeAllConnections();
  server.close();
  await rm(root, { recursive: true });
});

const sha256 = createHash('sha256').update(KEY).digest('hex');

const source = () => {
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/key`;
  const location = 'https://packages.example.com/gvisor release main';
  return { name: 'gvisor', key: { urls: [url], sha256 }, location };
};

test('apt takes from a repository only what its publisher has signed', async () => {
  answer = { status: 200, body: KEY };
  await addPackageSource(root, source(), signal);
  expect(await readFile(join(root, 'etc/apt/keyrings/gvisor.asc'), 'utf8')).toBe(KEY);
  expect(await readFile(join(root, 'etc/apt/sources.list.d/gvisor.list'), 'utf8')).toBe(
    'deb [signed-by=/etc/apt/keyrings/gvisor.asc] https://packages.example.com/gvisor release main\n',
  );
});

test.each([
  [404, 'gone', /answered 404/],
  [200, KEY.replace('mQ==', 'mR=='), /returned other content \(sha256 [0-9a-f]{64}\)/],
])('without the key that the plan has the hash of (%i %s) nothing is written', async (status, body, why) => {
  answer = { status, body };
  await expect(addPackageSource(root, source(), signal)).rejects.toMatchObject({
    what: 'get the key of the package repository gvisor',
    why: expect.stringMatching(why),
    next: expect.stringContaining('file-hashes.json'),
  });
  await expect(readFile(join(root, 'etc/apt/keyrings/gvisor.asc'))).rejects.toThrow('ENOENT');
  await expect(readFile(join(root, 'etc/apt/sources.list.d/gvisor.list'))).rejects.toThrow('ENOENT');
});

test('a distribution is also that from which it comes', async () => {
  expect(await distributionsOf(root)).toEqual([]);
  await mkdir(join(root, 'etc'));
  await writeFile(join(root, 'etc/os-release'), 'NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE="debian"\n');
  expect(await distributionsOf(root)).toEqual(['ubuntu', 'debian']);
  await writeFile(join(root, 'etc/os-release'), 'NAME="Rocky Linux"\nID="rocky"\nID_LIKE="rhel centos fedora"\n');
  expect(await distributionsOf(root)).toContain('fedora');
});
